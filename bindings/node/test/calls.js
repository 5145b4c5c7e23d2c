'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Worker } = require('node:worker_threads');
const msdk = require('..');

const { ErrorCode, MsdkError } = msdk;

test('an error has code, text and cause', async () => {
  const error = await msdk.initWithConfig('{}').catch((error) => error);
  assert.ok(error instanceof MsdkError);
  assert.equal(error.code, ErrorCode.MISSING_WALLET_KEY);
  assert.equal(error.codeName, 'MISSING_WALLET_KEY');
  assert.equal(error.text, msdk.errorCMessage(1069));
  assert.ok(error.cause && error.message.includes(error.cause));
});

test('a refused call rejects and names its argument', async () => {
  await assert.rejects(msdk.connectionCreate(null), { code: ErrorCode.INVALID_OPTION, message: /source_id/ });
});

test('an argument of a wrong type is a TypeError', async () => {
  await assert.rejects(msdk.connectionSerialize('7'), TypeError);
  await assert.rejects(msdk.connectionSerialize(2 ** 32), /connectionHandle must be a whole number/);
  await assert.rejects(msdk.connectionSerialize(1.5), TypeError);
  await assert.rejects(msdk.connectionCreate('a\0b'), /sourceId must be a string without a zero byte/);
  await assert.rejects(msdk.connectionSignData(1, 'text'), /data.* must be a Uint8Array/);
  assert.throws(() => msdk.shutdown('yes'), /deleteWallet must be a boolean/);
});

test('each of many calls has its own answer', async () => {
  const calls = Array.from({ length: 500 }, (_, index) =>
    index % 2 ? msdk.connectionSerialize(99999) : msdk.walletGetRecord('type', 'id', '{}'));
  const codes = (await Promise.allSettled(calls)).map(({ reason }) => reason.code);
  assert.deepEqual(codes, calls.map((_, index) =>
    index % 2 ? ErrorCode.INVALID_CONNECTION_HANDLE : ErrorCode.INVALID_WALLET_HANDLE));
});

test('a call without a callback returns or throws', () => {
  assert.match(msdk.version(), /^0\./);
  assert.equal(msdk.setNextAgencyResponse(1), undefined);
  assert.throws(() => msdk.setLogMaxLvl(99), { code: ErrorCode.INVALID_OPTION });
});

test('the functions of an agent leave the selection as it is', async () => {
  const closed = msdk.agent(4711);
  assert.throws(() => closed.version(), { code: ErrorCode.INVALID_OBJ_HANDLE });
  const standard = msdk.agent(0);
  assert.equal(standard.version(), msdk.version());
  assert.equal(standard.State.ACCEPTED, msdk.State.ACCEPTED);
  await assert.rejects(standard.connectionSerialize(5), { code: ErrorCode.INVALID_CONNECTION_HANDLE });
  assert.throws(() => msdk.agentSelect(4711), { code: ErrorCode.INVALID_OBJ_HANDLE });
});

test('a subscription takes a function, and is refused without a session', () => {
  assert.throws(() => msdk.messagesSubscribe(null), /receive must be a function/);
  assert.throws(() => msdk.messagesSubscribe(() => {}), { code: ErrorCode.INVALID_CONFIGURATION });
  msdk.messagesUnsubscribe(12345);
});

test('a worker has the library too, and may end while calls run', async () => {
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    const msdk = require(workerData);
    msdk.connectionSerialize(5).catch((error) => {
      for (let count = 0; count < 100; count++) msdk.connectionSerialize(5);
      parentPort.postMessage(error.code);
      process.exit();
    });`;
  const worker = new Worker(source, { eval: true, workerData: require.resolve('..') });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  const code = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await ended;
  assert.equal(code, ErrorCode.INVALID_CONNECTION_HANDLE);
  await assert.rejects(msdk.connectionSerialize(5), { code });
});
