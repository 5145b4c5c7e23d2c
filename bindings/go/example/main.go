// Alice in Go: accepts an invitation, writes and reads a message, holds a credential and proves from it.
//
//	REQUEST=… INVITATION=… go run ./example
//
// REQUEST is the JSON text for provisioning, INVITATION the invitation of a peer that issues and verifies.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"msdk"
	"os"
	"time"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	config, err := msdk.AgentProvisionAsync(ctx, os.Getenv("REQUEST"))
	if err != nil {
		return err
	}
	if err := msdk.InitWithConfig(ctx, config); err != nil {
		return err
	}
	defer msdk.Shutdown(false)
	connection, err := connect(ctx, os.Getenv("INVITATION"))
	if err != nil {
		return err
	}
	defer msdk.ConnectionRelease(connection)
	for _, step := range []func(context.Context, msdk.ConnectionHandle) error{talk, hold, prove, sign, takeNotes} {
		if err := step(ctx, connection); err != nil {
			return err
		}
	}
	return nil
}

func connect(ctx context.Context, invitation string) (msdk.ConnectionHandle, error) {
	connection, err := msdk.ConnectionAccept(ctx, "faber", invitation)
	if err != nil {
		return 0, err
	}
	if _, err := msdk.ConnectionConnect(ctx, connection, ""); err != nil {
		return 0, err
	}
	if err := reach(ctx, msdk.ConnectionUpdateState, connection, msdk.StateAccepted); err != nil {
		return 0, err
	}
	fmt.Println("is connected")
	return connection, nil
}

// reach looks into the mailbox until an object has a state.
func reach(ctx context.Context, update func(context.Context, uint32) (uint32, error), object, wanted uint32) error {
	for {
		state, err := update(ctx, object)
		if err != nil || state == wanted {
			return err
		}
		if state == msdk.StateNone || state == msdk.StateRejected {
			return fmt.Errorf("the exchange ended in state %d", state)
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context) error {
	select {
	case <-time.After(200 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func talk(ctx context.Context, connection msdk.ConnectionHandle) error {
	if _, err := msdk.ConnectionSendMessage(ctx, connection, "Good morning", "{}"); err != nil {
		return err
	}
	if err := listen(ctx); err != nil {
		return err
	}
	return next(ctx, connection, "message", func(_, text string) error {
		var message struct{ Content string }
		if err := json.Unmarshal([]byte(text), &message); err != nil {
			return err
		}
		fmt.Println("reads:", message.Content)
		return nil
	})
}

// listen subscribes to messages until there is one to read.
func listen(ctx context.Context) error {
	told := make(chan struct{}, 1)
	subscription, err := msdk.MessagesSubscribe(func(text string, _ error) {
		var message struct{ Kind string }
		if json.Unmarshal([]byte(text), &message) == nil && message.Kind == "message" {
			select {
			case told <- struct{}{}:
			default:
			}
		}
	})
	if err != nil {
		return err
	}
	defer msdk.MessagesUnsubscribe(subscription)
	select {
	case <-told:
		fmt.Println("is told of a message")
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hold takes the credential that the peer offers.
func hold(ctx context.Context, connection msdk.ConnectionHandle) error {
	return next(ctx, connection, "credential-offer", func(uid, _ string) error {
		credential, _, err := msdk.CredentialCreateWithMsgid(ctx, "diploma", connection, uid)
		if err != nil {
			return err
		}
		defer msdk.CredentialRelease(credential)
		if err := msdk.CredentialSendRequest(ctx, credential, connection, 0); err != nil {
			return err
		}
		if err := reach(ctx, msdk.CredentialUpdateState, credential, msdk.StateAccepted); err != nil {
			return err
		}
		fmt.Println("holds the credential")
		return nil
	})
}

// prove answers the peer's request with the first credential that fits each item.
func prove(ctx context.Context, connection msdk.ConnectionHandle) error {
	return next(ctx, connection, "presentation-request", func(uid, _ string) error {
		proof, _, err := msdk.DisclosedProofCreateWithMsgid(ctx, "diploma", connection, uid)
		if err != nil {
			return err
		}
		defer msdk.DisclosedProofRelease(proof)
		found, err := msdk.DisclosedProofRetrieveCredentials(ctx, proof)
		if err != nil {
			return err
		}
		chosen, err := first(found)
		if err != nil {
			return err
		}
		if err := msdk.DisclosedProofGenerateProof(ctx, proof, chosen, "{}"); err != nil {
			return err
		}
		if err := msdk.DisclosedProofSendProof(ctx, proof, connection); err != nil {
			return err
		}
		if err := reach(ctx, msdk.DisclosedProofUpdateState, proof, msdk.StateAccepted); err != nil {
			return err
		}
		fmt.Println("has proved")
		return nil
	})
}

// first chooses the first credential of each attribute and of each predicate.
func first(found string) (string, error) {
	type item struct{ Credentials []json.RawMessage }
	var items struct{ Attributes, Predicates map[string]item }
	if err := json.Unmarshal([]byte(found), &items); err != nil {
		return "", err
	}
	chosen := map[string]any{}
	for _, group := range []map[string]item{items.Attributes, items.Predicates} {
		for name, each := range group {
			if len(each.Credentials) == 0 {
				return "", fmt.Errorf("no credential fits %s", name)
			}
			chosen[name] = map[string]any{"credential": each.Credentials[0]}
		}
	}
	text, err := json.Marshal(map[string]any{"attrs": chosen})
	return string(text), err
}

// sign signs with the key of the connection. The peer can verify it; this side verifies what the peer has signed.
func sign(ctx context.Context, connection msdk.ConnectionHandle) error {
	data := []byte("as agreed")
	signature, err := msdk.ConnectionSignData(ctx, connection, data)
	if err != nil {
		return err
	}
	isTheirs, err := msdk.ConnectionVerifySignature(ctx, connection, data, signature)
	if err != nil {
		return err
	}
	fmt.Println("signs with", len(signature), "bytes; the peer has signed it:", isTheirs)
	return nil
}

// takeNotes keeps a record and finds it. An error tells its code.
func takeNotes(ctx context.Context, _ msdk.ConnectionHandle) error {
	if err := msdk.WalletAddRecord(ctx, "note", "1", "The peer is friendly — schön", "{}"); err != nil {
		return err
	}
	search, err := msdk.WalletOpenSearch(ctx, "note", "{}", "{}")
	if err != nil {
		return err
	}
	notes, err := msdk.WalletSearchNextRecords(ctx, search, 10)
	if err != nil {
		return err
	}
	if err := msdk.WalletCloseSearch(ctx, search); err != nil {
		return err
	}
	fmt.Println("notes:", notes)
	_, err = msdk.WalletGetRecord(ctx, "note", "2", "{}")
	if !errors.Is(err, msdk.ErrorCodeWalletRecordNotFound) {
		return fmt.Errorf("there is a second note: %w", err)
	}
	fmt.Println("there is no second note")
	return nil
}
