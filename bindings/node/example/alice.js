'use strict';
// Alice in JavaScript: accepts an invitation, writes and reads a message, holds a credential and proves from it.
//
//     REQUEST=… INVITATION=… node example/alice.js
//
// REQUEST is the JSON text for provisioning, INVITATION the invitation of a peer that issues and verifies.

const { setTimeout: pause } = require('node:timers/promises');
const msdk = require('..');

const { State } = msdk;
const end = Date.now() + 4 * 60 * 1000;

async function main() {
  const config = await msdk.agentProvisionAsync(process.env.REQUEST);
  await msdk.initWithConfig(config);
  const connection = await msdk.connectionAccept('faber', process.env.INVITATION);
  await msdk.connectionConnect(connection);
  await reach(msdk.connectionUpdateState, connection, State.ACCEPTED);
  console.log('is connected');
  await talk(connection);
  await hold(connection);
  await prove(connection);
  await sign(connection);
  await takeNotes();
  msdk.connectionRelease(connection);
  msdk.shutdown(false);
}

async function wait() {
  if (Date.now() > end) throw new Error('the peer does not answer');
  await pause(200);
}

/** Looks into the mailbox until an object has a state. */
async function reach(update, object, wanted) {
  for (;;) {
    const state = await update(object);
    if (state === wanted) return;
    if (state === State.NONE || state === State.REJECTED) throw new Error(`the exchange ended in state ${state}`);
    await wait();
  }
}

/** Whether the peer of a connection has sent a message. Anybody who knows the key of the connection can write to it. */
async function isFromPeer(connection, { senderVerkey }) {
  const { their } = JSON.parse(await msdk.connectionInfo(connection));
  return their !== null && their.recipientKeys.includes(senderVerkey);
}

/** Waits for an unread message of the peer, of a kind, gives its text and its id to `use`, and marks it read. */
async function next(connection, kind, use) {
  const pairwiseDID = await msdk.connectionGetPwDid(connection);
  for (;;) {
    const mailboxes = JSON.parse(await msdk.messagesDownload('MS-103', null, pairwiseDID));
    for (const message of mailboxes.flatMap((mailbox) => mailbox.msgs)) {
      const { uid, decryptedPayload } = message;
      const payload = JSON.parse(decryptedPayload); // null if the message cannot be decrypted
      if (payload?.['@type'].name !== kind || !(await isFromPeer(connection, message))) continue;
      await use(payload['@msg'], uid);
      await msdk.messagesUpdateStatus('MS-106', JSON.stringify([{ pairwiseDID, uids: [uid] }]));
      return;
    }
    await wait();
  }
}

async function talk(connection) {
  await msdk.connectionSendMessage(connection, 'Good morning', '{}');
  await listen();
  await next(connection, 'message', (text) => console.log('reads:', JSON.parse(text).content));
}

/** Subscribes to messages until there is one to read. */
async function listen() {
  let isTold = false;
  const subscription = msdk.messagesSubscribe((error, text) => {
    if (error) throw error;
    isTold ||= JSON.parse(text).kind === 'message';
  });
  while (!isTold) await wait();
  msdk.messagesUnsubscribe(subscription);
  console.log('is told of a message');
}

/** Takes the credential that the peer offers. */
async function hold(connection) {
  await next(connection, 'credential-offer', async (_, uid) => {
    const { number: credential } = await msdk.credentialCreateWithMsgid('diploma', connection, uid);
    await msdk.credentialSendRequest(credential, connection, 0);
    await reach(msdk.credentialUpdateState, credential, State.ACCEPTED);
    msdk.credentialRelease(credential);
  });
  console.log('holds the credential');
}

/** Answers the peer's request with the first credential that fits each item. */
async function prove(connection) {
  await next(connection, 'presentation-request', async (_, uid) => {
    const { number: proof } = await msdk.disclosedProofCreateWithMsgid('diploma', connection, uid);
    const { attributes, predicates } = JSON.parse(await msdk.disclosedProofRetrieveCredentials(proof));
    const items = Object.entries({ ...attributes, ...predicates });
    const attrs = Object.fromEntries(items.map(([name, { credentials }]) => [name, { credential: credentials[0] }]));
    await msdk.disclosedProofGenerateProof(proof, JSON.stringify({ attrs }), '{}');
    await msdk.disclosedProofSendProof(proof, connection);
    await reach(msdk.disclosedProofUpdateState, proof, State.ACCEPTED);
    msdk.disclosedProofRelease(proof);
  });
  console.log('has proved');
}

/** Signs with the key of the connection. The peer can verify it; this side verifies what the peer has signed. */
async function sign(connection) {
  const data = Buffer.from('as agreed');
  const signature = await msdk.connectionSignData(connection, data);
  const isTheirs = await msdk.connectionVerifySignature(connection, data, signature);
  console.log('signs with', signature.length, 'bytes; the peer has signed it:', isTheirs);
}

/** Keeps a record and finds it. An error tells its code. */
async function takeNotes() {
  await msdk.walletAddRecord('note', '1', 'The peer is friendly — schön', '{}');
  const search = await msdk.walletOpenSearch('note', '{}', '{}');
  console.log('notes:', await msdk.walletSearchNextRecords(search, 10));
  await msdk.walletCloseSearch(search);
  try {
    await msdk.walletGetRecord('note', '2', '{}');
  } catch (error) {
    if (error.code !== msdk.ErrorCode.WALLET_RECORD_NOT_FOUND) throw error;
    console.log('there is no second note');
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
