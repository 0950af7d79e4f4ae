import { compile, factsOf, grantsOf, rulesAt, type Grant, type Permission } from '@coffer/domain';
import type { PlannedChange } from '@coffer/domain';
import type { TestServer } from './test-server.ts';

/** One of many possible permissions. */
export interface Question {
  readonly projectId: string | null;
  readonly permission: Permission;
  readonly fields: {
    readonly environment?: string;
    readonly secretPath?: string;
    readonly secretName?: string;
    readonly secretTags?: readonly string[];
  };
}

export const asking = (
  projectId: string | null,
  subject: string,
  action: string,
  fields: Question['fields'] = {},
): Question => {
  const scope = projectId === null ? 'organization' : 'project';
  return { projectId, permission: { scope, subject, action, key: `${scope}:${subject}:${action}` }, fields };
};

/** The permissions of all actors at some instant, evaluated one by one. */
export class EverybodysRights {
  readonly #grants: ReadonlyMap<string, readonly Grant[]>;
  readonly #facts: Awaited<ReturnType<typeof factsOf>>;

  private constructor(grants: ReadonlyMap<string, readonly Grant[]>, facts: Awaited<ReturnType<typeof factsOf>>) {
    this.#grants = grants;
    this.#facts = facts;
  }

  static async of(test: TestServer, actorIds: readonly string[], projectIds: readonly (string | null)[]) {
    const { organizationId } = test;
    const ctx = test.coffer.contextFor({ type: 'platform', organizationId });
    const grants = new Map<string, Grant[]>();
    for (const id of actorIds)
      for (const projectId of projectIds)
        grants.set(
          `${projectId} ${id}`,
          await grantsOf(ctx, { organizationId, ...(projectId !== null && { projectId }) }, id),
        );
    return new EverybodysRights(grants, await factsOf(ctx, organizationId, actorIds));
  }

  /** When anything begins or ends; milliseconds. */
  turns(): number[] {
    return [...this.#grants.values()].flat().flatMap(({ start, end }) => [start, end]);
  }

  /** Evaluates one actor at one instant. */
  at(actorId: string, time: number): (question: Question) => boolean {
    const abilities = new Map<string | null, ReturnType<typeof compile>>();
    return ({ projectId, permission, fields }) => {
      let ability = abilities.get(projectId);
      if (!ability) {
        const grants = this.#grants.get(`${projectId} ${actorId}`) ?? [];
        ability = compile(rulesAt(grants, time, this.#facts.get(actorId)).rules);
        abilities.set(projectId, ability);
      }
      return ability.can(permission, fields);
    };
  }
}

/** The rows of a plan about a question at an instant. `changes` in JSON form. */
function speakingOf(
  changes: readonly PlannedChange[],
  actorId: string,
  { projectId, permission, fields }: Question,
  time: number,
): PlannedChange[] {
  const isAll = (limit: string | null, value: string | undefined) => limit === null || limit === value;
  return changes.filter(
    (one) =>
      one.actor.id === actorId &&
      one.projectId === projectId &&
      one.subject === permission.subject &&
      one.actions.includes(permission.action) &&
      isAll(one.environment, fields.environment) &&
      isAll(one.secretPath, fields.secretPath) &&
      isAll(one.secretName, fields.secretName) &&
      (one.from === null || new Date(one.from).getTime() <= time) &&
      (one.until === null || new Date(one.until).getTime() > time),
  );
}

/** The plan's result for a question at an instant. */
export function foretold(
  changes: readonly PlannedChange[],
  actorId: string,
  question: Question,
  time: number,
): 'gained' | 'lost' | undefined {
  const found = speakingOf(changes, actorId, question, time).filter(({ conditions }) => conditions === null);
  if (new Set(found.map(({ change }) => change)).size > 1) throw new Error('A plan contradicts itself');
  return found[0]?.change;
}

/** The plan's possible result, by its conditions. */
export const mayBeForetold = (
  changes: readonly PlannedChange[],
  actorId: string,
  question: Question,
  time: number,
): string[] =>
  speakingOf(changes, actorId, question, time)
    .filter(({ subject, actions, conditions }) =>
      compile([{ subject, action: actions, ...(conditions && { conditions }) }]).can(
        question.permission,
        question.fields,
      ),
    )
    .map(({ change }) => change);
