package main

import (
	"context"
	"encoding/json"
	"msdk"
)

// next waits for an unread message of the peer, of a kind, gives its id and its text to use, and marks it read.
func next(ctx context.Context, connection msdk.ConnectionHandle, kind string, use func(uid, text string) error) error {
	did, err := msdk.ConnectionGetPwDID(ctx, connection)
	if err != nil {
		return err
	}
	for {
		uid, text, err := find(ctx, connection, did, kind)
		if err != nil {
			return err
		}
		if uid == "" {
			if err := pause(ctx); err != nil {
				return err
			}
			continue
		}
		if err := use(uid, text); err != nil {
			return err
		}
		read, err := json.Marshal([]any{map[string]any{"pairwiseDID": did, "uids": []string{uid}}})
		if err != nil {
			return err
		}
		return msdk.MessagesUpdateStatus(ctx, "MS-106", string(read))
	}
}

// isFromPeer tells whether the peer of a connection has sent a message by its sender's key. Anybody who knows the key of the
// connection can write to it.
func isFromPeer(ctx context.Context, connection msdk.ConnectionHandle, sender string) (bool, error) {
	info, err := msdk.ConnectionInfo(ctx, connection)
	if err != nil {
		return false, err
	}
	var sides struct {
		Their struct{ RecipientKeys []string }
	}
	if err := json.Unmarshal([]byte(info), &sides); err != nil {
		return false, err
	}
	for _, key := range sides.Their.RecipientKeys {
		if key == sender {
			return true, nil
		}
	}
	return false, nil
}

// find looks once. Returns no uid if there is no such message.
func find(ctx context.Context, connection msdk.ConnectionHandle, did, kind string) (uid, text string, err error) {
	downloaded, err := msdk.MessagesDownload(ctx, "MS-103", "", did)
	if err != nil {
		return "", "", err
	}
	var mailboxes []struct {
		Msgs []struct{ UID, SenderVerkey, DecryptedPayload string }
	}
	if err := json.Unmarshal([]byte(downloaded), &mailboxes); err != nil {
		return "", "", err
	}
	for _, mailbox := range mailboxes {
		for _, message := range mailbox.Msgs {
			var payload struct {
				Type struct{ Name string } `json:"@type"`
				Text string                `json:"@msg"`
			}
			if json.Unmarshal([]byte(message.DecryptedPayload), &payload) != nil || payload.Type.Name != kind {
				continue
			}
			if isTheirs, err := isFromPeer(ctx, connection, message.SenderVerkey); err != nil {
				return "", "", err
			} else if isTheirs {
				return message.UID, payload.Text, nil
			}
		}
	}
	return "", "", nil
}
