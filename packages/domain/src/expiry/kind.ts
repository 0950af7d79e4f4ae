import { filterInTurns, organizationOf } from '../access/index.ts';
import { actorIdOf, at, statement, type Ability, type Context } from '../kernel/index.ts';
import type { Ending, EndingCursor, EndingKind } from './expiry.ts';

/** Where something ends: a project, or an organization, and who looks at it. */
export interface Board {
  readonly ctx: Context;
  readonly projectId: string | undefined;
  /** The rights of the caller there. */
  readonly ability: Ability;
}

/** What of a board is asked for. */
export interface Asked {
  readonly after: EndingCursor | undefined;
  readonly search: string | undefined;
  readonly limit: number;
}

/** What ends, whichever kind it is of. */
export interface Ends {
  readonly kind: EndingKind;
  readonly isOn: (board: Board) => boolean;
  /** The first of those that the caller may read, from now on, in the order of their ends. */
  readonly list: (board: Board, asked: Asked) => Promise<Ending[]>;
}

interface Row {
  readonly id: string;
  readonly endsAt: string;
  readonly name: string;
  readonly of: string | null;
}

interface Declaration<Own extends object> {
  readonly kind: EndingKind;
  /** Default: projects only. */
  readonly places?: readonly ('project' | 'organization')[];
  /** SQL. `from` may be joined; `where` knows `board.organization_id`, `board.project_id`, `board.actor_id`, `board.now`. */
  readonly from: string;
  readonly where: string;
  readonly id: string;
  readonly endsAt: string;
  readonly name: string;
  readonly of?: string;
  /** What rights and details look at. */
  readonly columns?: string;
  /**
   * Which of them the caller may read: as the read of a single one decides. `undefined`: none, so that the database is not
   * asked.
   */
  readonly mayRead: (board: Board) => ((row: Row & Own) => boolean) | undefined;
  /** Whether the caller may know the name of what it is of, where the read of a single one does not tell it; default: it may. */
  readonly mayNameOf?: (board: Board) => (row: Row & Own) => boolean;
  readonly details?: (row: Row & Own) => Readonly<Record<string, string>>;
}

/** Rows that are read at once. */
const BATCH = 500;

/** Declares a kind of things that end: where they are, what they are called, and who may read each. */
export function defineEnds<Own extends object = object>(declaration: Declaration<Own>): Ends {
  const { kind, places = ['project'], from, where, id, endsAt, name, of = 'null::text', columns } = declaration;
  const LIST = statement(
    `expiry.${kind}`.replaceAll('-', '_'),
    `select ${id} as id, ${endsAt} as "endsAt", ${name} as name, ${of} as of${columns ? `, ${columns}` : ''}
     from (select $1::uuid as organization_id, $2::uuid as project_id, $3::uuid as actor_id, $4::timestamptz as now) board, ${from}
     where ${where} and ${endsAt} > board.now and ($5::timestamptz is null or (${endsAt}, ${id}) > ($5, $6::uuid))
       and ($7::text is null or strpos(lower(concat_ws(' ', ${name}, ${of})), lower($7)) > 0)
     order by ${endsAt}, ${id} limit $8`,
  );
  return {
    kind,
    isOn: ({ projectId }) => places.includes(projectId === undefined ? 'organization' : 'project'),
    async list(board, { after, search, limit }) {
      const { ctx, projectId = null } = board;
      const mayRead = declaration.mayRead(board);
      if (!mayRead) return [];
      const read = ({ endsAt: instant, id: last }: Partial<EndingCursor>) =>
        ctx.sql<Row & Own>(LIST, [
          ...[organizationOf(ctx), projectId, actorIdOf(ctx.actor), ctx.now()],
          ...[instant ?? null, last ?? null, search || null, BATCH],
        ]);
      const mayNameOf = declaration.mayNameOf?.(board) ?? (() => true);
      const showing = (row: Row & Own): Ending[] => {
        if (row.of === null || mayNameOf(row)) return [endingOf(row)];
        // What is hidden is not found, either.
        const isFound = !search || row.name.toLowerCase().includes(search.toLowerCase());
        return isFound ? [endingOf({ ...row, of: null })] : [];
      };
      const shown: Ending[] = [];
      let rows = await read(after ?? {});
      for (;;) {
        for (const row of await filterInTurns(rows, mayRead)) shown.push(...showing(row));
        const last = rows.at(-1);
        if (!last || rows.length < BATCH || shown.length >= limit) return shown.slice(0, limit);
        rows = await read({ endsAt: at(last.endsAt), id: last.id });
      }
    },
  };

  function endingOf(row: Row & Own): Ending {
    const { id: one, endsAt: end, name: called, of: whose } = row;
    return { kind, id: one, name: called, of: whose, endsAt: at(end), details: declaration.details?.(row) ?? {} };
  }
}
