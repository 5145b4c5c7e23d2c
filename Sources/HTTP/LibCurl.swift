internal import CCurl
internal import DynamicLibrary
internal import Logging
internal import Threading

/// libcurl's functions. The first use opens the library: with the libraries that it needs, it takes more time and
/// memory to load than the rest of msdk, and a program that only uses a wallet does not need it.
final class LibCurl: @unchecked Sendable {
  // The pointers are only read, so the class is Sendable.
  typealias Handle = UnsafeMutableRawPointer
  typealias Multi = UnsafeMutableRawPointer
  typealias List = UnsafeMutablePointer<curl_slist>
  typealias Text = UnsafePointer<CChar>

  let makeHandle: @convention(c) () -> Handle?
  let freeHandle: @convention(c) (Handle?) -> Void
  let reset: @convention(c) (Handle?) -> Void
  let perform: @convention(c) (Handle?) -> CURLcode
  let header:
    @convention(c) (
      Handle?, Text?, Int, UInt32, Int32, UnsafeMutablePointer<UnsafeMutablePointer<curl_header>?>?
    ) -> CURLHcode
  let errorText: @convention(c) (CURLcode) -> Text?
  let append: @convention(c) (List?, Text?) -> List?
  let freeList: @convention(c) (List?) -> Void
  let seconds: @convention(c) (Text?, UnsafePointer<Int>?) -> Int
  /// A variadic function, for the functions of `CCurl`.
  let set: UnsafeRawPointer
  let get: UnsafeRawPointer

  let send: @convention(c) (Handle?, UnsafeRawPointer?, Int, UnsafeMutablePointer<Int>?) -> CURLcode
  let receive: @convention(c) (Handle?, UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int>?) -> CURLcode

  let makeForm: @convention(c) (Handle?) -> OpaquePointer?
  let freeForm: @convention(c) (OpaquePointer?) -> Void
  let addPart: @convention(c) (OpaquePointer?) -> OpaquePointer?
  let namePart: @convention(c) (OpaquePointer?, Text?) -> CURLcode
  let fillPart: @convention(c) (OpaquePointer?, Text?) -> CURLcode
  let typePart: @convention(c) (OpaquePointer?, Text?) -> CURLcode

  let makeMulti: @convention(c) () -> Multi?
  let freeMulti: @convention(c) (Multi?) -> CURLMcode
  let addTransfer: @convention(c) (Multi?, Handle?) -> CURLMcode
  let removeTransfer: @convention(c) (Multi?, Handle?) -> CURLMcode
  let performAll: @convention(c) (Multi?, UnsafeMutablePointer<Int32>?) -> CURLMcode
  let poll:
    @convention(c) (
      Multi?, UnsafeMutablePointer<curl_waitfd>?, UInt32, Int32, UnsafeMutablePointer<Int32>?
    ) -> CURLMcode
  let wake: @convention(c) (Multi?) -> CURLMcode
  let nextEnd: @convention(c) (Multi?, UnsafeMutablePointer<Int32>?) -> UnsafeMutablePointer<CURLMsg>?

  let makeURL: @convention(c) () -> OpaquePointer?
  let freeURL: @convention(c) (OpaquePointer?) -> Void
  let setPart: @convention(c) (OpaquePointer?, CURLUPart, Text?, UInt32) -> CURLUcode
  let part:
    @convention(c) (
      OpaquePointer?, CURLUPart, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, UInt32
    ) -> CURLUcode
  let free: @convention(c) (UnsafeMutableRawPointer?) -> Void

  private static let opened = Locked<LibCurl?>(nil)

  /// The library, which the first call opens. A failure is not kept, since a lack of memory may have caused it.
  static func open() throws(DynamicLibraryError) -> LibCurl {
    let result = opened.withLock { opened in
      if let opened { return Result<LibCurl, DynamicLibraryError>.success(opened) }
      let result = Result { () throws(DynamicLibraryError) in try LibCurl() }
      opened = try? result.get()
      return result
    }
    return try result.get()
  }

  /// Opens the file at `path`. With nil, the environment variable `MSDK_CURL_LIB`, the folder of libmsdk.so and the system
  /// decide.
  init(at path: String? = nil) throws(DynamicLibraryError) {
    let library = try DynamicLibrary("libcurl.so.4", variable: "MSDK_CURL_LIB", path: path)
    makeHandle = try library.function("curl_easy_init")
    freeHandle = try library.function("curl_easy_cleanup")
    reset = try library.function("curl_easy_reset")
    perform = try library.function("curl_easy_perform")
    header = try library.function("curl_easy_header")
    errorText = try library.function("curl_easy_strerror")
    append = try library.function("curl_slist_append")
    freeList = try library.function("curl_slist_free_all")
    seconds = try library.function("curl_getdate")
    set = try library.function("curl_easy_setopt")
    get = try library.function("curl_easy_getinfo")
    send = try library.function("curl_easy_send")
    receive = try library.function("curl_easy_recv")
    makeForm = try library.function("curl_mime_init")
    freeForm = try library.function("curl_mime_free")
    addPart = try library.function("curl_mime_addpart")
    namePart = try library.function("curl_mime_name")
    fillPart = try library.function("curl_mime_filedata")
    typePart = try library.function("curl_mime_type")
    makeMulti = try library.function("curl_multi_init")
    freeMulti = try library.function("curl_multi_cleanup")
    addTransfer = try library.function("curl_multi_add_handle")
    removeTransfer = try library.function("curl_multi_remove_handle")
    performAll = try library.function("curl_multi_perform")
    poll = try library.function("curl_multi_poll")
    wake = try library.function("curl_multi_wakeup")
    nextEnd = try library.function("curl_multi_info_read")
    makeURL = try library.function("curl_url")
    freeURL = try library.function("curl_url_cleanup")
    setPart = try library.function("curl_url_set")
    part = try library.function("curl_url_get")
    free = try library.function("curl_free")
    let start: @convention(c) (Int) -> CURLcode = try library.function("curl_global_init")
    guard start(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
      throw .notStarted(library.path)
    }
  }
}
