import { naiveCan } from '@coffer/domain/testing';
import type { Accepted } from './accepted.ts';
import type { CertificateRule, NameLimits, Policy, Template } from './arbitrary.ts';

// What somebody objects to who reads rules, policies and templates as they are written, and certificates as clients accept them.

const DAY = 86_400_000;
/** A minute for clocks that are behind, and the second in which it is issued. */
const SLACK = 61_000;

type Names = Readonly<Record<string, unknown>>;
const wildcardOf = (host: string) => `*${host.slice(host.indexOf('.'))}`;
const decides = (rules: readonly CertificateRule[], fields: Names): CertificateRule | undefined =>
  rules.findLast((rule) => naiveCan([{ ...rule, inverted: false }], 'certificates', 'create', fields));

export interface Caller {
  readonly rules: readonly CertificateRule[];
  /** The subject of rules that lets the caller issue such certificates, whatever their names, unless a rule forbids them. */
  readonly by?: string | undefined;
  /** Whether the attributes of the subject are set by whoever has configured it. */
  readonly isSet?: boolean | undefined;
}

export function againstRules(certificate: Accepted, { rules, by, isSet = false }: Caller): string[] {
  const { commonName, organizations, altNames, hosts, hostsByCommonName, others } = certificate;
  const ofNames = rules.filter(({ subject }) => subject === 'certificates');
  const base = {
    ...{ commonName, friendlyName: commonName || altNames[0]?.value, status: 'active' },
    ...(organizations.length > 0 && { organization: organizations[0] }),
  };
  const can = (fields: Names, among = ofNames) => naiveCan(among, 'certificates', 'create', fields);
  const asked: readonly Names[] =
    altNames.length > 0 ? altNames.map(({ value }) => ({ ...base, altNames: [value] })) : [{ ...base, altNames: [] }];
  const found: string[] = [];
  const forbids = (fields: Names) => decides(ofNames, fields)?.inverted === true;
  for (const name of [...hosts, ...others])
    if (forbids({ ...base, altNames: [name] })) found.push(`clients accept the forbidden name ${name}`);
  for (const host of hostsByCommonName)
    if (asked.some((fields) => forbids({ ...fields, commonName: host })))
      found.push(`clients accept the forbidden common name ${host}`);
  const ofOrganizations = ofNames.filter(
    ({ inverted, conditions }) => inverted || conditions?.['organization'] !== undefined,
  );
  if (organizations.length > 0 && !isSet && !asked.every((fields) => can(fields, ofOrganizations)))
    found.push(`no rule names the organization ${organizations.join()}`);
  if (by !== undefined && rules.some(({ subject }) => subject === by)) return found;

  if (!asked.every((fields) => can(fields))) found.push('no rule allows it');
  const naming = ofNames.filter(({ inverted, conditions }) => inverted || conditions?.['commonName'] !== undefined);
  const isNamed = asked.every((fields) => can(fields, naming));
  for (const host of hostsByCommonName.filter((one) => one.includes('.')))
    if (!isNamed && ![host, wildcardOf(host)].some((name) => can({ ...base, altNames: [name] })))
      found.push(`no rule allows the host ${host}, for which the common name is taken`);
  const excepts = (fields: Names, field: string, name: string) =>
    (decides(ofNames, fields)?.conditions?.[field] as { $ne?: string } | undefined)?.$ne === name;
  for (const host of hosts)
    for (const fields of asked) {
      const isCovered = [host, wildcardOf(host)].includes(String([fields['altNames']].flat()[0]));
      const isByName = hostsByCommonName.includes(host);
      // Another rule may allow the certificate as clients read it.
      const read = { ...base, ...(isByName && { commonName: host }) };
      if (
        (isCovered || isByName) &&
        excepts(fields, 'altNames', host) &&
        ![base, read].some((one) => can({ ...one, altNames: [host] }))
      )
        found.push(`clients accept ${host}, which the rule leaves out`);
      if (isByName && excepts(fields, 'commonName', host) && !can({ ...fields, commonName: host }))
        found.push(`clients accept the common name ${host}, which the rule leaves out`);
    }
  for (const { value } of altNames.filter((one) => one.value.startsWith('*.'))) {
    const allowing = ofNames.filter((rule) => !rule.inverted && can({ ...base, altNames: [value] }, [rule]));
    const isLiteral = allowing.some(({ conditions }) => !/[?[]/.test(JSON.stringify(conditions ?? {})));
    const covered = ['q', 'longer'].map((label) => `${label}${value.slice(1)}`);
    if (!isLiteral && !covered.every((name) => can({ ...base, altNames: [name] })))
      found.push(`the pattern of a rule takes ${value} for a name`);
  }
  return found;
}

const globbed = (pattern: string) => {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^a-z0-9@]/gi, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 'is');
};
const matches = (patterns: readonly string[] = [], text: string) => patterns.some((one) => globbed(one).test(text));
const allows = ({ allowed, denied }: NameLimits, text: string) =>
  !matches(denied, text) && (!allowed || matches(allowed, text));
const TYPES = { dns: 'dns_name', ip: 'ip_address', email: 'email', uri: 'uri' } as const;

export function againstPolicy(
  certificate: Accepted,
  { subject, sans, extendedKeyUsages, validity }: Policy,
  now: number,
) {
  const { commonName, altNames, hosts, hostsByCommonName, extendedKeyUsages: usages, notAfter } = certificate;
  const found: string[] = [];
  const ofCommonNames = subject?.find(({ type }) => type === 'common_name');
  const ofKind = (type: keyof typeof TYPES) => sans?.find((one) => one.type === TYPES[type]);
  if (ofCommonNames && commonName && !allows(ofCommonNames, commonName)) found.push('the policy: common name');
  for (const { type, value } of altNames) {
    const rule = ofKind(type);
    if (rule ? !allows(rule, value) : sans?.length) found.push(`the policy: ${value}`);
  }
  const dns = ofKind('dns');
  const isForServers = usages.length === 0 || usages.includes('serverAuth');
  for (const host of isForServers ? hosts : []) {
    if (matches(dns?.denied, host)) found.push(`the policy: clients accept the denied host ${host}`);
    const isAllowed = [host, wildcardOf(host)].some((name) => dns && allows(dns, name));
    if (hostsByCommonName.includes(host) && !ofCommonNames && sans?.length && !isAllowed)
      found.push(`the policy: clients accept the host ${host}`);
  }
  const { allowed, denied = [] } = extendedKeyUsages ?? {};
  const names = usages.map((usage) => usage.replace('Auth', '_auth').replace('S', '_s'));
  if (names.some((name) => denied.includes(name) || (allowed && !allowed.includes(name))))
    found.push(`the policy: ${names.join()}`);
  if (names.length === 0 && (denied.length > 0 || allowed?.length)) found.push('the policy: all usages');
  if (validity && notAfter - now > Number.parseInt(validity.max) * DAY + SLACK) found.push('the policy: validity');
  return found;
}

/** `(?i)` is the only flag that these patterns have. */
const whole = (pattern: string) =>
  new RegExp(`^(?:${pattern.replace('(?i)', '')})$`, pattern.startsWith('(?i)') ? 'i' : '');

export function againstTemplate(certificate: Accepted, template: Template, now: number): string[] {
  const { commonName, altNames, organizations, extendedKeyUsages, notAfter } = certificate;
  const found: string[] = [];
  const isOutside = (pattern: string, name: string) =>
    ![name, ...(name.startsWith('*.') ? [name.replace('*', 'x'.repeat(63))] : [])].every((one) =>
      whole(pattern).test(one),
    );
  if (commonName && isOutside(template.commonName, commonName)) found.push('the template: common name');
  for (const { value } of altNames)
    if (isOutside(template.subjectAlternativeName, value)) found.push(`the template: ${value}`);
  if (organizations.length > 0) found.push('the template: organization');
  if (extendedKeyUsages.some((usage) => !template.extendedKeyUsages.includes(usage)))
    found.push('the template: usages');
  if (extendedKeyUsages.length === 0 && template.extendedKeyUsages.length > 0) found.push('the template: all usages');
  if (notAfter - now > Number.parseInt(template.ttl) * DAY + SLACK) found.push('the template: validity');
  return found;
}
