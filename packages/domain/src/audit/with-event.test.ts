import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { explainConstraint, inTransaction, newId, statement, type Context } from '../kernel/index.ts';
import { makeOrganization, testCoffer, type TestCoffer } from '../testing/index.ts';
import { runWithEvent, writeWithEvent } from './with-event.ts';

explainConstraint('notes_text_unique', 'This was noted before');
const NOTE = writeWithEvent(
  statement('notes.add', `insert into notes (id, text) select $1, $2::text where $2 <> 'nothing' returning id`),
  2,
);
const event = { type: 'note.added', published: 'add-note', data: { a: 1 } };

let test: TestCoffer;
let ctx: Context;
beforeAll(async () => {
  test = await testCoffer();
  const { admin } = await makeOrganization(test.coffer);
  ctx = test.coffer.contextFor(admin.actor);
  await test.owner.query(
    `create table notes (id uuid primary key, text text not null constraint notes_text_unique unique);
     grant all on notes to public`,
  );
});
beforeEach(() => test.coffer.pool.query('delete from notes'));
afterAll(() => test.close());

const note = (text: string, by: Context = ctx) => runWithEvent(by, NOTE, [newId(), text], event);

/** The numbers of notes and events, and of the transactions that wrote them. */
async function written() {
  const { rows } = await test.coffer.pool.query<{ notes: number; events: number }>(
    `select (select count(*) from notes)::integer as notes,
       (select count(*) from audit_events where type = 'note.added')::integer as events`,
  );
  return rows[0]!;
}

describe('runWithEvent', () => {
  it('writes the event together with the row', async () => {
    const before = await written();
    expect(await note('one')).toEqual([{ id: expect.any(String) }]);
    expect(await written()).toEqual({ notes: 1, events: before.events + 1 });
    const { rows } = await test.coffer.pool.query(
      `select n.xmin = e.xmin as together from notes n, audit_events e where e.type = 'note.added' order by e.id desc limit 1`,
    );
    expect(rows).toEqual([{ together: true }]);
  });

  it('records nothing if nothing was written', async () => {
    const before = await written();
    expect(await note('nothing')).toEqual([]);
    expect(await inTransaction(ctx, (tx) => note('nothing', tx))).toEqual([]);
    expect(await written()).toEqual(before);
  });

  it('names the violated constraint, and records nothing', async () => {
    await note('one');
    const before = await written();
    await expect(note('one')).rejects.toMatchObject({ kind: 'conflict', code: 'notes_text_unique' });
    expect(await written()).toEqual(before);
  });

  it('is a part of the transaction that it is called in', async () => {
    const before = await written();
    const failing = inTransaction(ctx, async (tx) => {
      await note('one', tx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await written()).toEqual(before);
    await inTransaction(ctx, (tx) => note('one', tx));
    expect(await written()).toEqual({ notes: 1, events: before.events + 1 });
  });

  it('writes nothing while the audit log cannot be written', async () => {
    const before = await written();
    await test.owner.query(`alter table audit_events add constraint closed check (type <> 'note.added') not valid`);
    try {
      await expect(note('one')).rejects.toMatchObject({ kind: 'unavailable', code: 'audit.unwritable' });
    } finally {
      await test.owner.query('alter table audit_events drop constraint closed');
    }
    expect(await written()).toEqual({ notes: 0, events: before.events });
  });
});
