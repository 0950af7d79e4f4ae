/** What the link of a message has: a code that is used once, for whom, and for which organization. */
export interface Link {
  readonly path: string;
  readonly code: string;
  readonly email: string;
  readonly organizationId: string;
}

/** The addresses that messages lead to. */
const LINKED: ReadonlySet<string> = new Set(['/signupinvite', '/signup', '/password-reset']);

let opened: Link | undefined;

/** Takes the code out of the address before anything else sees it. It is in this module's memory only: a reload needs the link again. */
export function takeLink(): void {
  const { pathname: path, search } = location;
  const query = new URLSearchParams(search);
  const code = query.get('token');
  if (code === null || !LINKED.has(path)) return;
  opened = { path, code, email: query.get('to') ?? '', organizationId: query.get('organization_id') ?? '' };
  history.replaceState(null, '', path);
}

/** The link by which this page was opened, if it leads there. */
export const linkTo = (path: string): Link | undefined => (opened?.path === path ? opened : undefined);
