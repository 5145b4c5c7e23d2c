/*
 * msdk for C++17: results as std::future, and objects that release themselves.
 *
 *   msdk::session session(config);
 *   auto connection = msdk::connection::accept("faber", invitation).get();
 *   connection.connect().get();
 *
 * msdk::call makes any function of msdk.h: it takes the function and its arguments without the command handle and the
 * callback. The future holds the callback's values as copies, or a msdk::error. The classes below are short names for
 * frequent calls. Texts are UTF-8; NULL from the library is an empty text.
 *
 * A future that is dropped is not waited for; an object in it is released. All functions may be called on any thread.
 * Wait for no future on a thread that the library needs: a callback of your own may, see "Threads" in the C guide.
 * Nothing but this header and libmsdk.so is needed: $(pkg-config --cflags --libs msdk) -pthread
 */
#ifndef MSDK_HPP
#define MSDK_HPP

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "msdk.h"

namespace msdk {

/** A call that failed. what() is the fixed text of its code, and the cause. */
class error : public std::runtime_error {
public:
    error(vcx_error_t code, std::string details)
        : std::runtime_error(vcx_error_c_message(code) + cause(details)), code_(code), details_(std::move(details)) {}

    /** A value of vcx_error_code. */
    vcx_error_t code() const noexcept { return code_; }
    /** The library's details as JSON text, with the cause. */
    const std::string &details() const noexcept { return details_; }

private:
    static std::string cause(const std::string &details) {
        const std::string name = "\"cause\":\"";
        const auto found = details.find(name), begin = found + name.size();
        auto end = found == std::string::npos ? details.size() : begin;
        while (end < details.size() && details[end] != '"') end += details[end] == '\\' ? 2 : 1;
        return end < details.size() ? ": " + details.substr(begin, end - begin) : "";
    }

    vcx_error_t code_;
    std::string details_;
};

namespace detail {

/** The error of a code, with the details that the library keeps for this thread. */
inline std::exception_ptr failure(vcx_error_t code) {
    const char *details = nullptr;
    vcx_get_current_error(&details);
    return std::make_exception_ptr(error(code, details ? details : ""));
}

/** The callback's values as the caller keeps them. */
template <class Value> Value kept(Value value) { return value; }
inline std::string kept(const char *text) { return text ? text : ""; }
inline std::vector<std::uint8_t> kept(const std::uint8_t *bytes, std::uint32_t length) {
    return length ? std::vector<std::uint8_t>(bytes, bytes + length) : std::vector<std::uint8_t>();
}
template <class... Values, class = std::enable_if_t<(sizeof...(Values) > 1)>>
auto kept(Values... values) { return std::make_tuple(kept(values)...); }
inline void kept() {}

/** A call that has begun and has no answer yet. */
struct waiting { virtual ~waiting() = default; };
template <class Result> struct promised : waiting {
    std::promise<Result> promise;
};

/** The waiting calls by their command handles. It is never destroyed: answers may come until the process ends. */
class calls {
public:
    static calls &all() {
        static calls *const shared = new calls;
        return *shared;
    }

    vcx_command_handle_t add(std::unique_ptr<waiting> call) {
        const std::lock_guard<std::mutex> lock(mutex_);
        while (waiting_.count(++last_) != 0) {}
        waiting_.emplace(last_, std::move(call));
        return last_;
    }

    std::unique_ptr<waiting> take(vcx_command_handle_t handle) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = waiting_.find(handle);
        if (found == waiting_.end()) return nullptr;
        auto call = std::move(found->second);
        waiting_.erase(found);
        return call;
    }

private:
    std::mutex mutex_;
    std::unordered_map<vcx_command_handle_t, std::unique_ptr<waiting>> waiting_;
    vcx_command_handle_t last_ = 0;
};

/** The callback of a call with the given result, on a thread of the library. */
template <class Result, class... Values>
void answer(vcx_command_handle_t handle, vcx_error_t code, Values... values) noexcept {
    const auto call = calls::all().take(handle);
    if (!call) return;
    auto &promise = static_cast<promised<Result> &>(*call).promise;
    if (code != VCX_SUCCESS)
        promise.set_exception(failure(code));
    else if constexpr (std::is_void_v<Result>)
        promise.set_value();
    else
        promise.set_value(Result(kept(values...)));
}

/** The values of a callback type. */
template <class Callback> struct answered;
template <class... Values> struct answered<void (*)(vcx_command_handle_t, vcx_error_t, Values...)> {
    using result = decltype(kept(std::declval<Values>()...));
    template <class Result> static constexpr auto by = &answer<Result, Values...>;
};

/** A result that the callback's values determine. */
struct automatic {};

/** Arguments as C takes them. */
template <class Value> Value plain(Value value) { return value; }
inline const char *plain(const std::string &text) { return text.c_str(); }

}  // namespace detail

/** Calls a function of msdk.h that has a callback. `Result` may name an object that is made of the answer. */
template <class Result = detail::automatic, class... Parameters, class... Arguments>
auto call(vcx_error_t (*function)(Parameters...), const Arguments &...arguments) {
    using callback = std::tuple_element_t<sizeof...(Parameters) - 1, std::tuple<Parameters...>>;
    using given = typename detail::answered<callback>::result;
    using result = std::conditional_t<std::is_same_v<Result, detail::automatic>, given, Result>;
    auto waiting = std::make_unique<detail::promised<result>>();
    auto future = waiting->promise.get_future();
    const auto handle = detail::calls::all().add(std::move(waiting));
    const vcx_error_t refused = function(
        handle, detail::plain(arguments)..., detail::answered<callback>::template by<result>);
    if (refused != VCX_SUCCESS) {
        const auto call = detail::calls::all().take(handle);
        static_cast<detail::promised<result> &>(*call).promise.set_exception(detail::failure(refused));
    }
    return future;
}

/** Owns an object of the library, and releases it. Movable, not copyable. */
template <vcx_error_t (*Release)(std::uint32_t)> class handle {
public:
    handle() = default;
    explicit handle(std::uint32_t number) noexcept : number_(number) {}
    handle(handle &&other) noexcept : number_(std::exchange(other.number_, 0)) {}
    handle &operator=(handle &&other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~handle() {
        if (number_ != 0) Release(number_);
    }

    /** The number of the object for functions of msdk.h; 0 without an object. */
    std::uint32_t number() const noexcept { return number_; }

private:
    std::uint32_t number_ = 0;
};

/** Calls an update function, such as vcx_proof_update_state, until the state is `wanted` or an end. Returns it. */
template <class Object>
std::uint32_t reach(
    vcx_error_t (*update)(vcx_command_handle_t, std::uint32_t, vcx_number_cb), const Object &object,
    std::uint32_t wanted, std::chrono::milliseconds pause = std::chrono::milliseconds(300)) {
    std::uint32_t state = VCX_STATE_NONE;
    while ((state = call(update, object.number()).get()) != wanted) {
        if (state == VCX_STATE_NONE || state == VCX_STATE_REJECTED) break;
        std::this_thread::sleep_for(pause);
    }
    return state;
}

/** Makes a wallet and a mailbox at an agency. The result is the configuration for `session`. */
inline std::future<std::string> provision(const std::string &config) { return call(vcx_agent_provision_async, config); }

/** The library, initialised. There is one session at a time. */
class session {
public:
    /** Opens the wallet, and waits until it is open. Throws msdk::error. */
    explicit session(const std::string &config) { call(vcx_init_with_config, config).get(); }
    session(const session &) = delete;
    session &operator=(const session &) = delete;
    ~session() { vcx_shutdown(false); }
};

/** A connection with a peer. */
class connection : public handle<vcx_connection_release> {
public:
    using handle::handle;
    /** Takes any invitation: as JSON text, as a URL, or the public DID of an inviter. */
    static std::future<connection> accept(const std::string &name, const std::string &invitation) {
        return call<connection>(msdk_connection_accept, name, invitation);
    }
    /** The older form of `accept`, for the JSON text of an out-of-band invitation only. */
    static std::future<connection> accept_out_of_band(const std::string &name, const std::string &invitation) {
        return call<connection>(vcx_connection_create_with_outofband_invitation, name, invitation);
    }
    static std::future<connection> invite(const std::string &name, const char *goal = nullptr) {
        return call<connection>(vcx_connection_create_outofband, name, nullptr, goal, true, nullptr);
    }
    static std::future<connection> deserialize(const std::string &text) {
        return call<connection>(vcx_connection_deserialize, text);
    }
    /** The invitation, which an inviter makes and an invitee answers. */
    std::future<std::string> connect(const char *options = nullptr) const {
        return call(vcx_connection_connect, number(), options);
    }
    std::future<std::uint32_t> update_state() const { return call(vcx_connection_update_state, number()); }
    std::future<std::uint32_t> state() const { return call(vcx_connection_get_state, number()); }
    std::future<std::string> serialize() const { return call(vcx_connection_serialize, number()); }
    std::future<std::string> pairwise_did() const { return call(vcx_connection_get_pw_did, number()); }
    std::future<void> send_ping() const { return call(vcx_connection_send_ping, number(), nullptr); }
    std::future<std::string> send_message(const std::string &text) const {
        return call(vcx_connection_send_message, number(), text, "{}");
    }
};

using credential = handle<vcx_credential_release>;
using disclosed_proof = handle<vcx_disclosed_proof_release>;
using issuer_credential = handle<vcx_issuer_credential_release>;
using proof = handle<vcx_proof_release>;
using schema = handle<vcx_schema_release>;
using credential_definition = handle<vcx_credentialdef_release>;

}  // namespace msdk

#endif
