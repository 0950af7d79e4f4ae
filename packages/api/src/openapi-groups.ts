/**
 * The tags of the document by what they are used for, in the order of use: each tag is in one of them. Viewers know this as
 * `x-tagGroups`.
 */
const GROUPS: readonly (readonly [name: string, tags: RegExp])[] = [
  ['Secrets', /^(?:Secrets|Folders|Environments|Tags|Secret imports|Secret events|History|Snapshots|Webhooks)$/],
  ['Dynamic secrets', /^Dynamic secret/],
  ['Connections, syncs and rotations', /connections$|(?<!pki )syncs$|rotations$|^Integration/i],
  ['Projects', /^Project(?!.* roles$)|^Trusted ips$|^Expiry$/],
  ['Access', /(?:roles|privileges)$|^Access$|^Service tokens$/],
  ['Approvals', /approval/],
  ['Machine identities', /^Identities$| auth$|^Access tokens$/],
  ['Accounts and sessions', /^(?:Account|Sessions|Api keys|Recovery|Sign up|Invitations|Command line)$/],
  ['Organizations', /^(?:Organizations|Organization members|Groups|Incident contacts)$/],
  ['Certificates', /^(?:Acme|Est|Certificate|Revocation|Aws pca|Digicert authorities)(?!.* connections$)|pki syncs$/i],
  ['SSH', /^Ssh (?!connections$)/],
  ['KMS', /^Kms/],
  ['Audit log and instance', /^(?:Audit log|Instance)/],
];

interface TagGroup {
  readonly name: string;
  readonly tags: readonly string[];
}

/** Of these tags. One that fits nowhere is in the last group. */
export function tagGroupsOf(tags: readonly string[]): TagGroup[] {
  const groupOf = (tag: string) => GROUPS.find(([, of]) => of.test(tag))?.[0] ?? GROUPS.at(-1)![0];
  const members = Map.groupBy(tags, groupOf);
  return GROUPS.flatMap(([name]) => {
    const found = members.get(name);
    // What the group is called by comes first.
    return found ? [{ name, tags: found.toSorted((a, b) => Number(b === name) - Number(a === name)) }] : [];
  });
}

/** The groups that claim a tag: more or less than one is a mistake in the table. */
export const claimsOn = (tag: string): string[] => GROUPS.flatMap(([name, of]) => (of.test(tag) ? [name] : []));
