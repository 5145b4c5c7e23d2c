package main

import (
	"context"
	"encoding/json"
	"msdk"
)

// next waits for an unread message of a kind, gives its id and its text to use, and marks it read.
func next(ctx context.Context, connection msdk.ConnectionHandle, kind string, use func(uid, text string) error) error {
	did, err := msdk.ConnectionGetPwDID(ctx, connection)
	if err != nil {
		return err
	}
	for {
		uid, text, err := find(ctx, did, kind)
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

// find looks once. Returns no uid if there is no such message.
func find(ctx context.Context, did, kind string) (uid, text string, err error) {
	downloaded, err := msdk.MessagesDownload(ctx, "MS-103", "", did)
	if err != nil {
		return "", "", err
	}
	var mailboxes []struct {
		Msgs []struct{ UID, DecryptedPayload string }
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
			if json.Unmarshal([]byte(message.DecryptedPayload), &payload) == nil && payload.Type.Name == kind {
				return message.UID, payload.Text, nil
			}
		}
	}
	return "", "", nil
}
