package msdk

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
)

func TestAnErrorHasCodeTextAndCause(t *testing.T) {
	err := InitWithConfig(context.Background(), "{}")
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != ErrorCodeMissingWalletKey || failure.Cause == "" {
		t.Fatalf("got %#v", err)
	}
	if !errors.Is(err, ErrorCodeMissingWalletKey) || errors.Is(err, ErrorCodeNotReady) {
		t.Errorf("errors.Is does not compare the code of %v", err)
	}
	if !strings.Contains(err.Error(), "(1069)") || !strings.Contains(err.Error(), failure.Cause) {
		t.Errorf("the text is %q", err)
	}
}

func TestARefusedCallNamesItsArgument(t *testing.T) {
	_, err := ConnectionCreate(context.Background(), "")
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != ErrorCodeInvalidOption || !strings.Contains(failure.Cause, "source_id") {
		t.Errorf("got %v", err)
	}
}

func TestATextWithAZeroByteIsRefused(t *testing.T) {
	if _, err := ConnectionCreate(context.Background(), "a\x00b"); err == nil || !strings.Contains(err.Error(), "zero byte") {
		t.Errorf("got %v", err)
	}
}

func TestEachOfManyCallsHasItsOwnAnswer(t *testing.T) {
	var calls sync.WaitGroup
	for number := uint32(1); number <= 500; number++ {
		calls.Add(1)
		go func(isUnknown bool) {
			defer calls.Done()
			if isUnknown {
				_, err := ConnectionSerialize(context.Background(), 99999)
				if !errors.Is(err, ErrorCodeInvalidConnectionHandle) {
					t.Errorf("got %v", err)
				}
				return
			}
			_, err := WalletGetRecord(context.Background(), "type", "id", "{}")
			if !errors.Is(err, ErrorCodeInvalidWalletHandle) {
				t.Errorf("got %v", err)
			}
		}(number%2 == 0)
	}
	calls.Wait()
	if len(pending.calls) != 0 {
		t.Errorf("%d calls are left", len(pending.calls))
	}
}

func TestAnEndedContextEndsTheWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ConnectionSerialize(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestCallsWithoutACallbackReturnTheirResult(t *testing.T) {
	if !strings.HasPrefix(Version(), "0.") || ErrorCodeNotReady.Error() != ErrorCMessage(uint32(ErrorCodeNotReady)) {
		t.Errorf("the version is %q, the text %q", Version(), ErrorCodeNotReady.Error())
	}
	if err := SetLogMaxLvl(99); !errors.Is(err, ErrorCodeInvalidOption) {
		t.Errorf("got %v", err)
	}
}

func TestASubscriptionThatIsRefusedLeavesNoReceiver(t *testing.T) {
	_, err := MessagesSubscribe(func(string, error) { t.Error("the receiver was called") })
	if !errors.Is(err, ErrorCodeInvalidConfiguration) || len(pending.calls) != 0 {
		t.Errorf("got %v, with %d receivers left", err, len(pending.calls))
	}
}

func TestASubscriptionReceivesUntilItEnds(t *testing.T) {
	var received []string
	subscription, err := subscribe(nil, func(result string, err error) {
		received = append(received, result)
	}, func(call commandHandle, _ []*cChar) errorCode {
		finish(call, 0, "before the function returns")
		return 0
	})
	if err != nil {
		t.Fatal(err)
	}
	finish(commandHandle(subscription), 0, "again")
	end(subscription)
	finish(commandHandle(subscription), 0, "too late")
	if strings.Join(received, ", ") != "before the function returns, again" {
		t.Errorf("received %q", received)
	}
}
