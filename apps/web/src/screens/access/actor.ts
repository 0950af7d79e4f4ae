import { shortId } from '../../ui/short-id.ts';

interface Actor {
  /** null: it would be created. */
  readonly id: string | null;
  readonly name: string;
  readonly username: string | null;
}

/** What tells a user, machine identity or service token from others of its name. */
export const markOf = ({ id, name, username }: Actor): string | undefined =>
  username === null ? (id === null ? undefined : shortId(id)) : username === name ? undefined : username;
