// Package msdk calls libmsdk.so, the Mobile SDK for agents that hold connections, credentials and proofs.
//
// There is a function for each function of msdk.h. A function that has a callback in C blocks its goroutine until the
// callback has come. If its context ends first, the function returns the context's error; the operation itself goes on, and
// its result is lost. An error of the library is an *Error.
package msdk

/*
#cgo pkg-config: msdk
#include <stdlib.h>
#include <msdk.h>

typedef const char msdk_text;
typedef const uint8_t msdk_bytes;
*/
import "C"

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// Error is an error of the library. errors.Is compares it with a code: errors.Is(err, msdk.ErrorCodeNotReady).
type Error struct {
	Code ErrorCode
	// Cause is the exact cause, a sentence for developers; empty if the library gives none.
	Cause string
}

func (e *Error) Error() string {
	if e.Cause == "" || e.Cause == e.Code.Error() {
		return fmt.Sprintf("%s (%d)", e.Code.Error(), uint32(e.Code))
	}
	return fmt.Sprintf("%s: %s (%d)", e.Code.Error(), e.Cause, uint32(e.Code))
}

// Unwrap returns the code.
func (e *Error) Unwrap() error { return e.Code }

// Error returns the fixed text of the code.
func (code ErrorCode) Error() string { return C.GoString(C.vcx_error_c_message(C.vcx_error_t(code))) }

// failure returns the error that this thread has just been told, or nil for 0.
func failure(code C.vcx_error_t) error {
	if code == 0 {
		return nil
	}
	var details *C.char
	C.vcx_get_current_error(&details)
	var told struct{ Cause string }
	if details != nil {
		_ = json.Unmarshal([]byte(C.GoString(details)), &told)
	}
	return &Error{Code: ErrorCode(code), Cause: told.Cause}
}

// Names for the types of C, which tests cannot import.
type (
	commandHandle = C.vcx_command_handle_t
	errorCode     = C.vcx_error_t
	cChar         = C.char
)

// An answer is the end of an operation.
type answer struct {
	result any
	err    error
}

// A receiver takes the answers to a call: one, or those of a subscription until it is ended.
type receiver struct {
	receive        func(answer)
	isSubscription bool
}

// pending has the receivers by their command handles.
var pending = struct {
	sync.Mutex
	last  C.vcx_command_handle_t
	calls map[C.vcx_command_handle_t]receiver
}{calls: map[C.vcx_command_handle_t]receiver{}}

// register gives a receiver a command handle.
func register(made receiver) C.vcx_command_handle_t {
	pending.Lock()
	defer pending.Unlock()
	for {
		pending.last++
		if _, isTaken := pending.calls[pending.last]; !isTaken {
			pending.calls[pending.last] = made
			return pending.last
		}
	}
}

func forget(call C.vcx_command_handle_t) {
	pending.Lock()
	defer pending.Unlock()
	delete(pending.calls, call)
}

// finish is the end of every callback. It runs on a thread of the library, to which the details of the error belong.
func finish(call C.vcx_command_handle_t, code C.vcx_error_t, result any) {
	pending.Lock()
	found, isThere := pending.calls[call]
	if isThere && !found.isSubscription {
		delete(pending.calls, call)
	}
	pending.Unlock()
	if isThere {
		found.receive(answer{result, failure(code)})
	}
}

// await begins an operation and waits for its callback, which may come before the C function has returned.
func await[Result any](
	ctx context.Context, texts []given, begin func(call C.vcx_command_handle_t, c []*C.char) C.vcx_error_t,
) (Result, error) {
	var none Result
	if err := ctx.Err(); err != nil {
		return none, err
	}
	// The buffer takes the answer of a call whose goroutine has gone.
	answers := make(chan answer, 1)
	call := register(receiver{func(given answer) { answers <- given }, false})
	if err := do(texts, func(c []*C.char) C.vcx_error_t { return begin(call, c) }); err != nil {
		forget(call)
		return none, err
	}
	select {
	case end := <-answers:
		return end.result.(Result), end.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// A Subscription names a callback that comes any number of times, until the function that takes the subscription ends it. The
// callback runs on a thread of the library.
type Subscription uint32

func subscribe[Result any](
	texts []given, receive func(Result, error), begin func(call C.vcx_command_handle_t, c []*C.char) C.vcx_error_t,
) (Subscription, error) {
	call := register(receiver{func(given answer) { receive(given.result.(Result), given.err) }, true})
	if err := do(texts, func(c []*C.char) C.vcx_error_t { return begin(call, c) }); err != nil {
		forget(call)
		return 0, err
	}
	return Subscription(call), nil
}

func end(ended Subscription) { forget(C.vcx_command_handle_t(ended)) }

// do calls a C function with texts, and returns its error. It stays on one thread: the details of an error belong to it.
func do(texts []given, call func(c []*C.char) C.vcx_error_t) error {
	copies := make([]*C.char, len(texts))
	defer func() {
		for _, each := range copies {
			C.free(unsafe.Pointer(each))
		}
	}()
	for index, each := range texts {
		if strings.IndexByte(each.value, 0) >= 0 {
			return errors.New("msdk: a text for the library cannot contain a zero byte")
		}
		if !each.isOptional || each.value != "" {
			copies[index] = C.CString(each.value)
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return failure(call(copies))
}

// A given text is one for the library. An optional one that is empty is NULL there.
type given struct {
	value      string
	isOptional bool
}

func required(value string) given { return given{value, false} }
func optional(value string) given { return given{value, true} }

func goText(text *C.msdk_text) string { return C.GoString((*C.char)(unsafe.Pointer(text))) }

func goBytes(bytes *C.msdk_bytes, length C.uint32_t) []byte {
	return C.GoBytes(unsafe.Pointer(bytes), C.int(length))
}

func cBytes(bytes []byte) *C.uint8_t {
	if len(bytes) == 0 {
		return nil
	}
	return (*C.uint8_t)(unsafe.Pointer(&bytes[0]))
}
