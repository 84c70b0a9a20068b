import { login } from '@cambist/contract/accounts.ts';
import type { AnswerOf, BodyOf, Call, ParamsOf, QueryOf } from '@cambist/contract/call.ts';
import { outbox } from '@cambist/contract/development.ts';
import { notifications } from '@cambist/contract/notifications.ts';
import type { Problem } from '@cambist/contract/problem.ts';
import * as calls from '@cambist/contract/support.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

let server: TestApp;
let operator: string;

interface Input<C extends Call> {
  readonly params?: ParamsOf<C>;
  readonly query?: QueryOf<C>;
  readonly body?: BodyOf<C>;
}

/** Asks by the contract; a refusal is in `problem`. */
async function ask<C extends Call>(definition: C, input: Input<C>, token?: string, key?: string) {
  const params = (input.params ?? {}) as Record<string, unknown>;
  const path = definition.path.replace(/:(\w+)/g, (_, name: string) => String(params[name]));
  const answer = await server.call({
    method: definition.methods[0],
    url: path,
    query: (input.query ?? {}) as Record<string, string>,
    ...(input.body === undefined ? {} : { payload: input.body as object }),
    ...(token === undefined ? {} : { token }),
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
  const { status, headers } = answer;
  return { status, headers, body: answer.body as AnswerOf<C>, problem: answer.body as unknown as Problem };
}

async function operatorNamed(name: string): Promise<{ id: number; token: string }> {
  const email = `${name}@desk.test`;
  await server.app.accounts.ensure(email, PASSWORD, TRANSACTION_PASSWORD, 'operator');
  const { body } = await ask(login, { body: { username: email, password: PASSWORD } });
  return { id: body.user.id, token: body.token };
}

const inbox = async (query: QueryOf<typeof calls.supportInbox> = {}, token = operator) =>
  (await ask(calls.supportInbox, { query }, token)).body;
const answer = async (id: number, message: string, token = operator) =>
  (await ask(calls.answerConversation, { params: { id }, body: { message } }, token)).body;
const mailsTo = async (to: string) => (await ask(outbox, { query: { to } })).body.messages;
const open = (body: Partial<BodyOf<typeof calls.openConversation>> = {}, token?: string) =>
  ask(calls.openConversation, { body: { subject: 'Deposit missing', message: 'Where is it?', ...body } }, token);
/** A visitor's conversation with an address to write to. */
const visitor = async (email = 'guest@example.test') => {
  const { body } = await open({ name: 'Guest', email, topic: 'deposit' });
  return { id: body.conversation.id, visitor_token: body.visitor_token ?? '' };
};
const read = (id: number, body: BodyOf<typeof calls.readConversation>, token?: string) =>
  ask(calls.readConversation, { params: { id }, body }, token);
const write = (id: number, body: BodyOf<typeof calls.writeMessage>, token?: string) =>
  ask(calls.writeMessage, { params: { id }, body }, token);

async function start(kind: 'pglite' | 'postgres'): Promise<void> {
  server = await startTestApp(kind);
  operator = (await operatorNamed('first')).token;
}

describe.each(databaseKinds)('the support thread (%s)', (kind) => {
  beforeEach(() => start(kind));
  afterEach(() => server.remove());

  it("goes from a visitor to the desk and back, with what each hasn't seen", async () => {
    const { id, visitor_token } = await visitor();
    expect(visitor_token).toMatch(/^[\w-]{43}$/);
    expect(await inbox()).toMatchObject({
      conversations: [
        {
          id,
          topic: 'deposit',
          subject: 'Deposit missing',
          state: 'open',
          unread: 1,
          last_message: 'Where is it?',
          customer: { client_id: null, name: 'Guest', email: 'guest@example.test' },
          assigned_to: null,
        },
      ],
      next: null,
      counts: { open: 1, unread: 1, unassigned: 1 },
    });
    const opened = await ask(calls.supportThread, { params: { id }, query: { seen: 'true' } }, operator);
    expect(opened.body).toMatchObject({ conversation: { unread: 0 }, messages: [{ author: 'customer' }] });

    const answered = await answer(id, 'Which network?');
    expect(answered.conversation).toMatchObject({ assigned_to: { email: 'first@desk.test' }, unread: 0 });
    const listed = await ask(calls.conversations, { body: { visitor_token } });
    expect(listed.body).toMatchObject({
      unread: 1,
      conversations: [{ id, unread: 1, last_message: 'Which network?' }],
    });
    expect(listed.headers['cache-control']).toBe('no-store');
    const polled = await read(id, { visitor_token });
    expect(polled.body.messages.map(({ author, body }) => [author, body])).toEqual([
      ['customer', 'Where is it?'],
      ['operator', 'Which network?'],
    ]);
    expect(polled.body.conversation.unread).toBe(1);
    // Only looking at it makes it seen.
    const last = polled.body.messages[1]?.id ?? 0;
    expect((await read(id, { visitor_token, after: last, seen: true })).body).toMatchObject({
      conversation: { unread: 0 },
      messages: [],
    });
    await write(id, { visitor_token, message: 'ERC20' });
    expect(await inbox({ unread: 'true' })).toMatchObject({ conversations: [{ id, unread: 1 }] });
  });

  it('belongs to its writer alone: not to another client, visitor, wrong token or old token', async () => {
    const mine = await server.trader('mine', {});
    const other = await server.trader('other', {});
    const { id } = (await open({}, mine)).body.conversation;
    const guest = await visitor();
    expect((await read(id, {}, mine)).status).toBe(200);
    expect((await read(id, {}, other)).problem).toMatchObject({ status: 404, code: 'CONVERSATION_NOT_FOUND' });
    expect((await read(id, {})).status).toBe(404);
    expect((await read(id, { visitor_token: guest.visitor_token })).status).toBe(404);
    expect((await write(guest.id, { message: 'mine now' }, mine)).status).toBe(404);
    expect((await ask(calls.closeConversation, { params: { id: guest.id }, body: {} }, other)).status).toBe(404);
    // A client's token counts, whatever visitor's token comes with it.
    expect((await read(guest.id, { visitor_token: guest.visitor_token }, mine)).status).toBe(404);
    expect((await read(guest.id, { visitor_token: 'x'.repeat(43) })).problem.code).toBe('UNKNOWN_VISITOR');
    expect((await read(guest.id, { visitor_token: 'short' })).problem.code).toBe('INVALID_INPUT');
    for (const call of [calls.supportInbox, calls.supportThread]) {
      expect((await ask(call, { params: { id } } as never, mine)).status).toBe(403);
      expect((await ask(call, { params: { id } } as never)).status).toBe(401);
    }
    server.advance(91 * 86_400_000);
    expect((await read(guest.id, { visitor_token: guest.visitor_token })).problem.code).toBe('UNKNOWN_VISITOR');
  });

  it('is closed by either side and opens with the next message', async () => {
    const client = await server.trader('asker', {});
    const { id } = (await open({}, client)).body.conversation;
    const closed = await ask(calls.closeConversation, { params: { id }, body: {} }, client);
    expect(closed.body.conversation.state).toBe('closed');
    expect((await inbox({ state: 'open' })).conversations).toEqual([]);
    expect((await write(id, { message: 'One more thing' }, client)).body.conversation.state).toBe('open');
    const again = await ask(calls.setConversationState, { params: { id }, body: { state: 'closed' } }, operator);
    expect(again.body.conversation.state).toBe('closed');
    expect((await answer(id, 'And one from us')).conversation.state).toBe('open');
    for (const call of [calls.answerConversation, calls.assignConversation, calls.setConversationState]) {
      const body = { message: 'x', operator_id: null, state: 'open' };
      expect((await ask(call, { params: { id: 1 }, body } as never, operator)).status).toBe(404);
    }
  });

  it('the inbox is filtered, searched and paged', async () => {
    const second = await operatorNamed('second');
    const ids: number[] = [];
    for (const name of ['ann', 'ben', '50%_off', 'dan']) {
      const { body } = await open({
        subject: `From ${name}`,
        email: `${name.replace('%', '')}@guests.test`,
        name,
        topic: 'security',
      });
      ids.push(body.conversation.id);
    }
    const [ann = 0, ben = 0, percent = 0, dan = 0] = ids;
    const idsOf = async (query: QueryOf<typeof calls.supportInbox>, token = operator) =>
      (await inbox(query, token)).conversations.map(({ id }) => id);
    const first = await inbox({ limit: 3 });
    expect(first.conversations.map(({ id }) => id)).toEqual([dan, percent, ben]);
    expect(await idsOf({ limit: 3, before: first.next ?? 0 })).toEqual([ann]);
    await write(ann, { visitor_token: 'x'.repeat(43), message: 'no' });
    expect(await idsOf({ search: 'BEN@guests' })).toEqual([ben]);
    expect(await idsOf({ search: '50%_' })).toEqual([percent]);
    expect(await idsOf({ topic: 'deposit' })).toEqual([]);
    const assign = (id: number, operator_id: number | null) =>
      ask(calls.assignConversation, { params: { id }, body: { operator_id } }, operator);
    expect((await assign(ben, second.id)).body.conversation.assigned_to?.email).toBe('second@desk.test');
    expect(await idsOf({ assigned: 'me' }, second.token)).toEqual([ben]);
    expect(await idsOf({ assigned: 'me' })).toEqual([]);
    expect(await idsOf({ assigned: 'nobody' })).toEqual([dan, percent, ann]);
    await assign(ben, null);
    expect((await inbox()).counts).toEqual({ open: 4, unread: 4, unassigned: 4 });
    await server.trader('no-operator', {});
    const client = (await ask(login, { body: { username: 'no-operator@example.test', password: PASSWORD } })).body.user
      .id;
    expect((await assign(ben, client)).problem.code).toBe('NOT_AN_OPERATOR');
  });

  it('an answer goes by mail to one who is away, in his language, and to nobody who is there', async () => {
    const { body } = await open({ name: 'Gast', email: 'gast@example.test', locale: 'german' });
    const { id } = body.conversation;
    expect((await answer(id, 'Sind Sie da?')).message.mail).toBe('none');
    expect(await mailsTo('gast@example.test')).toEqual([]);
    server.advance(3 * 60_000);
    expect((await answer(id, 'Ihr Geld <b>ist</b> da')).message.mail).toBe('sent');
    const [mail] = await mailsTo('gast@example.test');
    expect(mail?.subject).toBe(`Cambist Support: Antwort zu Nr. ${id}`);
    expect(mail?.text).toContain('Ihr Geld <b>ist</b> da');
    expect(mail?.html).toContain('Ihr Geld &lt;b&gt;ist&lt;/b&gt; da');
    const without = (await open({ subject: 'No address' })).body.conversation.id;
    server.advance(3 * 60_000);
    expect((await answer(without, 'x')).message.mail).toBe('none');
  });

  it('an answer goes by mail to one who is away where the clock was set back meanwhile', async () => {
    const { id } = await visitor('before@example.test');
    server.advance(-24 * 3_600_000);
    expect((await answer(id, 'Your deposit was credited')).message.mail).toBe('sent');
  });

  it('limits how much one writes and opens', async () => {
    const client = await server.trader('flood', {});
    const { id } = (await open({}, client)).body.conversation;
    const writes: number[] = [];
    for (let index = 0; index < 11; index++) writes.push((await write(id, { message: `m${index}` }, client)).status);
    // The opening counts too.
    expect(writes).toEqual([...Array(9).fill(200), 429, 429]);
    expect((await write(id, { message: 'x' }, client)).headers['retry-after']).toBe('60');
    server.advance(61_000);
    expect((await write(id, { message: 'later' }, client)).status).toBe(200);
    const opens: number[] = [];
    for (let index = 0; index < 5; index++) opens.push((await open({}, client)).status);
    expect(opens).toEqual([200, 200, 200, 200, 429]);
    server.advance(61_000);
    const guests: number[] = [];
    for (let index = 0; index < 16; index++) guests.push((await open()).status);
    // Visitors of one address share a limit; clients don't.
    expect(guests).toEqual([...Array(15).fill(200), 429]);
    expect((await write(id, { message: 'x'.repeat(4000) }, client)).status).toBe(200);
    expect((await write(id, { message: 'x'.repeat(4001) }, client)).status).toBe(422);
    expect((await write(id, { message: '   ' }, client)).status).toBe(422);
  });

  it('what was settled years ago is forgotten, what is open stays', async () => {
    const old = await visitor('old@example.test');
    const kept = await visitor('kept@example.test');
    await ask(calls.setConversationState, { params: { id: old.id }, body: { state: 'closed' } }, operator);
    server.advance(3 * 366 * 86_400_000);
    await server.app.support.forgetOld();
    operator = (await operatorNamed('first')).token;
    expect((await inbox()).conversations.map(({ id }) => id)).toEqual([kept.id]);
  });
});

describe.each(databaseKinds)('what is sent again under its key (%s)', (kind) => {
  beforeAll(() => start(kind));
  afterAll(() => server.remove());

  const messagesOf = async (id: number) =>
    (await ask(calls.supportThread, { params: { id } }, operator)).body.messages.map(({ body }) => body);

  it("is one message of a client, also at once, and another client's key of the same name is another", async () => {
    const client = await server.trader(`twice-${kind}`, {});
    const opening = { subject: 'Lost', message: 'First' };
    const opened = await Promise.all(
      [1, 2, 3].map(() => ask(calls.openConversation, { body: opening }, client, 'opening')),
    );
    const [id = 0, ...others] = opened.map(({ body }) => body.conversation.id);
    expect(others).toEqual([id, id]);
    const send = (message: string, key?: string) =>
      ask(calls.writeMessage, { params: { id }, body: { message } }, client, key);
    const sent = await Promise.all([send('Second', 'a'), send('Second', 'a'), send('Second', 'a')]);
    expect(new Set(sent.map(({ body }) => body.message.id)).size).toBe(1);
    await send('Second', 'b');
    expect(await messagesOf(id)).toEqual(['First', 'Second', 'Second']);
    expect((await send('Third', 'a')).problem).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect((await send('Third', 'x'.repeat(129))).problem.code).toBe('INVALID_IDEMPOTENCY_KEY');
    const stranger = await server.trader(`stranger-${kind}`, {});
    const theirs = await ask(calls.openConversation, { body: opening }, stranger, 'opening');
    expect(theirs.body.conversation.id).not.toBe(id);
  });

  it('is found where too much was sent meanwhile', async () => {
    const client = await server.trader(`much-${kind}`, {});
    const { id } = (await open({}, client)).body.conversation;
    const send = (number: number) =>
      ask(calls.writeMessage, { params: { id }, body: { message: `No. ${number}` } }, client, `key ${number}`);
    for (let number = 1; number <= 9; number += 1) expect((await send(number)).status).toBe(200);
    expect((await send(10)).status).toBe(429);
    expect((await send(9)).status).toBe(200);
  });

  it("finds a visitor's first message by the token that his browser made", async () => {
    const first_token = 'a'.repeat(42) + (kind === 'pglite' ? 'a' : 'b');
    const body = { subject: 'Lost', message: 'First', email: 'lost@example.test', first_token };
    const begin = (locale: string) => ask(calls.openConversation, { body: { ...body, locale } }, undefined, 'begun');
    const [lost, again] = [await begin('en'), await begin('german')];
    expect(lost.body.visitor_token).toBe(first_token);
    expect(again.body).toMatchObject({ visitor_token: first_token, conversation: { id: lost.body.conversation.id } });
    const form = { name: 'Eve', email: `eve-${kind}@example.test`, topic: 'other' as const, message: 'Hello' };
    const fill = () => ask(calls.contact, { body: { ...form, first_token } }, undefined, 'form');
    const [filled, filledAgain] = [await fill(), await fill()];
    expect(filledAgain.body).toEqual({ ...filled.body, confirmation_sent: true });
    expect(await mailsTo(form.email)).toHaveLength(1);
  });

  it('is one answer of an operator, with one mail and one notification', async () => {
    const client = await server.trader(`answered-${kind}`, {});
    const { id } = (await open({}, client)).body.conversation;
    server.advance(10 * 60_000);
    const reply = () =>
      ask(calls.answerConversation, { params: { id }, body: { message: 'Here' } }, operator, 'answer');
    const [first, second] = await Promise.all([reply(), reply()]);
    expect(second.body.message.id).toBe(first.body.message.id);
    expect((await reply()).body.message).toMatchObject({ id: first.body.message.id, mail: 'sent' });
    expect(await messagesOf(id)).toEqual(['Where is it?', 'Here']);
    expect(await mailsTo(`answered-${kind}@example.test`)).toHaveLength(1);
    const { body } = await ask(notifications, {}, client);
    expect(body.notifications.filter(({ type }) => type === 'support')).toHaveLength(1);
  });
});

describe('the contact form', () => {
  const form = { name: 'Eve', topic: 'business' as const, message: 'Hello there\nand more' };
  const contact = (body: Partial<BodyOf<typeof calls.contact>> & { email: string }, token?: string) =>
    ask(calls.contact, { body: { ...form, ...body } }, token);
  beforeAll(() => start('postgres'));
  afterAll(() => server.remove());

  it('reaches the same inbox, and is confirmed by a mail that carries none of its words', async () => {
    const email = 'eva@example.test';
    const { body } = await contact({ email, locale: 'spanish' });
    expect(body).toMatchObject({ message: 'success', confirmation_sent: true });
    expect((await inbox()).conversations).toMatchObject([
      { id: body.reference, subject: 'Hello there', topic: 'business', customer: { name: 'Eve', email } },
    ]);
    const [mail] = await mailsTo(email);
    expect(mail?.subject).toBe(`Soporte de Cambist: hemos recibido tu mensaje, n.º ${body.reference}`);
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/Hello|Eve/);
    const visitor_token = body.visitor_token ?? '';
    expect((await read(body.reference, { visitor_token })).body.messages).toHaveLength(1);
    const database = await server.source.open();
    const rows = await database.query<{ token_hash: string }>('SELECT token_hash FROM support_customers');
    await database.close();
    expect(rows.map(({ token_hash }) => token_hash.includes(visitor_token))).toEqual([false]);
  });

  it('confirms to one address once an hour, whoever asks', async () => {
    const email = 'often@example.test';
    expect((await contact({ email })).body.confirmation_sent).toBe(true);
    expect((await contact({ email: email.toUpperCase() })).body.confirmation_sent).toBe(false);
    expect(await mailsTo(email)).toHaveLength(1);
    server.advance(61 * 60_000);
    expect((await contact({ email })).body.confirmation_sent).toBe(true);
  });

  it("of a client is his conversation, and goes to the account's address", async () => {
    const client = await server.trader('known', {});
    const { body } = await contact({ email: 'typed@example.test' }, client);
    expect(body.visitor_token).toBeNull();
    expect((await inbox()).conversations[0]?.customer).toMatchObject({ name: 'Eve', email: 'known@example.test' });
    expect(await mailsTo('typed@example.test')).toEqual([]);
    expect(await mailsTo('known@example.test')).toHaveLength(1);
    expect((await ask(calls.conversations, { body: {} }, client)).body.conversations).toHaveLength(1);
  });

  it.each([
    ['name', { name: ' ' }],
    ['email', { email: 'nobody' }],
    ['topic', { topic: 'gossip' as never }],
    ['message', { message: '' }],
  ])('names the field that is wrong: %s', async (field, change) => {
    const { status, problem } = await contact({ email: 'wrong@example.test', ...change });
    expect(status).toBe(422);
    expect(problem.errors?.map((error) => error.field)).toEqual([field]);
  });
});

describe('a client with an open page', () => {
  beforeAll(() => start('postgres'));
  afterAll(() => server.remove());

  it('hears of each message on the private stream, and gets no mail', async () => {
    const client = await server.trader('online', {});
    await server.app.http.listen({ port: 0, host: '127.0.0.1' });
    const address = server.app.http.server.address();
    const socket = new WebSocket(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/ws/v5/private`);
    const heard: { event?: string; arg?: { channel: string }; data?: { body: string; author: string }[] }[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ op: 'login', args: [{ token: client }] }));
    await expect.poll(() => heard.some(({ event }) => event === 'login')).toBe(true);
    socket.send(JSON.stringify({ op: 'subscribe', args: [{ channel: 'support' }] }));
    await expect.poll(() => heard.some(({ event }) => event === 'subscribe')).toBe(true);

    const { id } = (await open({}, client)).body.conversation;
    const stranger = await server.trader('stranger', {});
    await open({ message: 'not yours' }, stranger);
    server.advance(10 * 60_000);
    expect((await answer(id, 'We are looking')).message.mail).toBe('none');
    await expect.poll(() => heard.flatMap(({ data }) => data ?? []).length).toBe(2);
    expect(heard.flatMap(({ data }) => data ?? [])).toMatchObject([
      { conversation_id: id, author: 'customer', body: 'Where is it?' },
      { conversation_id: id, author: 'operator', body: 'We are looking' },
    ]);
    socket.close();
    await expect.poll(() => server.app.http.server.listening).toBe(true);
    server.advance(10 * 60_000);
    await expect.poll(async () => (await answer(id, 'Still')).message.mail).toBe('sent');
    expect((await mailsTo('online@example.test'))[0]?.text).toContain('Still');
  });
});

describe('a mail server that is away', () => {
  afterAll(() => server.remove());
  it('keeps the answer and says that the mail failed', async () => {
    server = await startTestApp('postgres', undefined, { SMTP_URL: 'smtp://127.0.0.1:1' });
    operator = (await operatorNamed('first')).token;
    const { id, visitor_token } = await visitor();
    server.advance(3 * 60_000);
    expect((await answer(id, 'Here you are')).message.mail).toBe('failed');
    expect((await read(id, { visitor_token })).body.messages.at(-1)?.body).toBe('Here you are');
    const { body } = await ask(calls.contact, {
      body: { name: 'Eve', email: 'eve@example.test', topic: 'other', message: 'Hello' },
    });
    expect(body).toMatchObject({ message: 'success', confirmation_sent: false });
  });
});
