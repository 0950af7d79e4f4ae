import { naiveCan } from '@coffer/domain/testing';
import type { Player, Players, Refusals } from '../worlds.ts';
import type { NewHost, NewTemplate, Options, Order, Settings } from './arbitrary.ts';
import { fingerprintOf, type Shown } from './openssh.ts';

// What somebody expects who has read the guide of SSH and the rules: of each request, of certificates as OpenSSH reads them, and of
// what hosts accept.

export const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE };
export const ms = (duration: string): number => Number.parseInt(duration) * UNITS[duration.slice(-1)]!;
/** How long the former key is trusted. */
const USUAL_OVERLAP = '30d';
const MOST_KEYS = 10;
const EXTENSIONS = [
  ...['permit-X11-forwarding', 'permit-agent-forwarding', 'permit-port-forwarding', 'permit-pty', 'permit-user-rc'],
];

interface AuthorityKey {
  readonly line: string;
  readonly signsFrom: number;
  trustedUntil: number;
}
export interface AuthorityReading {
  readonly id: string;
  readonly keys: AuthorityKey[];
  isActive: boolean;
  isDeleted: boolean;
}
export interface TemplateReading extends Omit<NewTemplate, 'ca'> {
  readonly id: string;
  readonly authority: AuthorityReading;
  isActive: boolean;
  isDeleted: boolean;
}
interface Mapped {
  readonly loginUser: string;
  people: readonly Player[];
  readonly isTeam: boolean;
}
/** Of a host or a host group. */
export interface SettingsReading extends Omit<Settings, 'mappings'> {
  readonly mappings: readonly Mapped[];
}
export interface HostReading extends Omit<NewHost, 'mappings'>, SettingsReading {
  readonly id: string;
  readonly mappings: readonly Mapped[];
  isDeleted: boolean;
  isInGroup: boolean;
  /** Whether its certificates are renewed. */
  isRenewing: boolean;
}
export interface CertificateReading {
  readonly serialNumber: string;
  readonly signedKey: string;
  readonly privateKey?: string | undefined;
  readonly authority: AuthorityReading;
  readonly signer: AuthorityKey;
  readonly host?: HostReading | undefined;
  readonly by?: Player | undefined;
  readonly loginUser?: string | undefined;
  readonly issuedAt: number;
  readonly endsAt: number;
  readonly wanted: Wanted;
  /** Undefined where the guide does not say. */
  isRevoked: boolean | undefined;
}
/** What has to be in a certificate. */
interface Wanted {
  readonly certType: string;
  readonly principals: readonly string[];
  readonly keyId?: string | undefined;
  readonly criticalOptions: readonly string[];
  readonly extensions: readonly string[];
}

const globbed = (pattern: string, isCaseless: boolean) => {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^a-z0-9]/gi, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, isCaseless ? 'i' : '');
};
/** What an asterisk may stand for. */
const STANDS_FOR = ['', 'a', 'db', 'a.example.com', '.evil.org', 'x.example'];
const isAllowed = (certType: string, principal: string, patterns: readonly string[]): boolean => {
  const isHost = certType === 'host';
  const meant =
    isHost && principal.includes('*') ? STANDS_FOR.map((text) => principal.replaceAll('*', text)) : [principal];
  return meant.every((name) => patterns.some((pattern) => globbed(pattern, isHost).test(name)));
};

export class Reading {
  readonly authorities: AuthorityReading[] = [];
  readonly templates: TemplateReading[] = [];
  readonly hosts: HostReading[] = [];
  readonly certificates: CertificateReading[] = [];
  readonly people: Player[] = [];
  /** Who is in the team. */
  readonly team = new Set<Player>();
  group: SettingsReading = { principalMode: null, userCa: null, mappings: [] };
  /** Of the project. */
  defaultUserCa = 0;
  readonly #players: Players;

  constructor(players: Players) {
    this.#players = players;
  }

  get now(): number {
    return this.#players.now;
  }

  can = (player: Player, subject: string, action: string): boolean => player.can(this.now, subject, action);
  /** Whether no rule forbids it, if it were allowed otherwise. */
  #isNotForbidden = (player: Player, subject: string, action: string): boolean =>
    naiveCan([{ subject, action }, ...player.rulesAt(this.now)], subject, action);
  canOnHost = (player: Player, action: string, { hostname }: HostReading): boolean =>
    player.can(this.now, 'ssh-hosts', action, { hostname });
  canAlwaysOnHost = (player: Player, action: string, { hostname }: HostReading): boolean =>
    player.canAlways(this.now, 'ssh-hosts', action, { hostname });

  /** Settings of a host come before those of its groups, and these before those of the project. */
  #setting = <Name extends 'principalMode' | 'userCa'>(host: HostReading, name: Name): SettingsReading[Name] | null =>
    host[name] ?? (host.isInGroup ? this.group[name] : null);
  modeOf = (host: HostReading): string => this.#setting(host, 'principalMode') ?? 'login-user';
  userAuthorityOf = (host: HostReading): AuthorityReading =>
    this.authorities[this.#setting(host, 'userCa') ?? this.defaultUserCa]!;
  hostAuthorityOf = ({ hostCa }: HostReading): AuthorityReading => this.authorities[hostCa]!;
  mappingsOf = (host: HostReading): readonly Mapped[] => [
    ...host.mappings,
    ...(host.isInGroup ? this.group.mappings : []),
  ];

  trusting = (authority: AuthorityReading): HostReading[] =>
    this.hosts.filter((host) => !host.isDeleted && this.userAuthorityOf(host) === authority);
  recognizedBy = (authority: AuthorityReading): HostReading[] =>
    this.hosts.filter((host) => !host.isDeleted && this.hostAuthorityOf(host) === authority);

  /** The key that signs now. */
  signerOf = ({ keys }: AuthorityReading): AuthorityKey => keys.findLast(({ signsFrom }) => signsFrom <= this.now)!;
  /** The lines that hosts get. */
  publishedBy = ({ keys }: AuthorityReading): string[] =>
    keys.filter(({ trustedUntil }) => trustedUntil > this.now).map(({ line }) => line);

  /** The permission for it, asked of strangers and others. */
  #asked = (player: Player, subject: string, action: string): number[] =>
    player.isStranger ? [404] : this.can(player, subject, action) ? [] : [403];

  refusalsOfOrder(player: Player, template: TemplateReading, order: Order): Refusals {
    if (template.isDeleted) return { must: [404] };
    const asked = this.#asked(player, 'ssh-certificates', 'create');
    if (asked.length > 0) return { must: asked };
    const { certType, principals, ttl = template.ttl, keyId, criticalOptions = {}, extensions = {} } = order;
    const isUser = certType === 'user';
    const patterns = isUser ? template.allowedUsers : template.allowedHosts;
    const names = (given: Options) => Object.entries(given);
    const isRefused =
      !template.isActive ||
      !template.authority.isActive ||
      !(isUser ? template.allowUserCertificates : template.allowHostCertificates) ||
      principals.length === 0 ||
      principals.some((one) => one === '' || !isAllowed(certType, one, patterns)) ||
      ms(ttl) > ms(template.maxTTL) ||
      (keyId !== undefined && (!template.allowCustomKeyIds || keyId.includes('\n'))) ||
      (isUser && names(criticalOptions).some((one) => this.#isForbiddenOption(template, one))) ||
      (isUser && names(extensions).some((one) => this.#isForbiddenExtension(template, one)));
    const isOdd = principals.some((one) => /[\s,]/.test(one) || (isUser ? one.includes('*') : /[A-Z]/.test(one)));
    const isDefault = names(criticalOptions).some(([name]) => !template.allowedCriticalOptions.includes(name));
    const hasOptions = !isUser && names({ ...criticalOptions, ...extensions }).length > 0;
    return { must: isRefused ? [400] : [], may: isOdd || isDefault || hasOptions ? [400] : [] };
  }

  #isForbiddenOption(
    { allowedCriticalOptions, defaultCriticalOptions }: TemplateReading,
    [name, value]: [string, string],
  ): boolean {
    const isAllowedOne = allowedCriticalOptions.includes(name) || defaultCriticalOptions[name] === value;
    return !isAllowedOne || value === '10.0.0.1/8';
  }

  #isForbiddenExtension = ({ allowedExtensions }: TemplateReading, [name, value]: [string, string]): boolean =>
    ![...EXTENSIONS, ...allowedExtensions].includes(name) || (name.startsWith('permit-') && value !== '');

  /** What a certificate by a template has to be. */
  wantedBy(player: Player, template: TemplateReading, order: Order): Wanted {
    const { certType, principals, keyId, criticalOptions, extensions } = order;
    const isUser = certType === 'user';
    return {
      certType,
      principals: [...new Set(principals)],
      keyId: keyId ?? `identity-${player.id}`,
      criticalOptions: isUser
        ? Object.entries({ ...template.defaultCriticalOptions, ...criticalOptions }).map((one) => one.join(' ').trim())
        : [],
      extensions: !isUser ? [] : extensions ? Object.keys(extensions) : EXTENSIONS,
    };
  }

  mayLogIn = (player: Player, host: HostReading, loginUser?: string): boolean =>
    !host.isDeleted &&
    this.mappingsOf(host).some(
      (one) =>
        (loginUser === undefined || one.loginUser === loginUser) &&
        (one.people.includes(player) || (one.isTeam && this.team.has(player))),
    );

  refusalsOfLogin(player: Player, host: HostReading, loginUser: string): Refusals {
    if (!this.mayLogIn(player, host, loginUser)) {
      const isKnown = this.mayLogIn(player, host) || (!player.isStranger && this.canOnHost(player, 'read', host));
      return { must: [isKnown && !host.isDeleted ? 403 : 404] };
    }
    const { isActive, isDeleted } = this.userAuthorityOf(host);
    return { must: isActive && !isDeleted ? [] : [400] };
  }

  wantedByLogin = (player: Player, host: HostReading, loginUser: string): Wanted => ({
    certType: 'user',
    keyId: `${this.people.includes(player) ? 'user' : 'identity'}-${player.id}`,
    principals: [this.modeOf(host) === 'host-bound' ? `host:${host.id}:${loginUser}` : loginUser],
    criticalOptions: [],
    extensions: EXTENSIONS,
  });

  refusalsOfHostCert(player: Player, host: HostReading, isRenewed: boolean): Refusals {
    if (player.isStranger || host.isDeleted) return { must: [404] };
    if (!this.canOnHost(player, 'issue-host-cert', host)) return { must: [403] };
    const isEnding = host.isRenewing && !isRenewed && !this.canOnHost(player, 'edit', host);
    const isLasting = isRenewed ? this.canAlwaysOnHost(player, 'issue-host-cert', host) : !isEnding;
    const { isActive, isDeleted } = this.hostAuthorityOf(host);
    return { must: [...(isLasting ? [] : [403]), ...(isActive && !isDeleted ? [] : [400])] };
  }

  wantedByHost = ({ hostname }: HostReading): Wanted => ({
    ...{ certType: 'host', principals: [hostname], criticalOptions: [], extensions: [] },
  });

  refusalsOfRevocation(player: Player, { isRevoked, endsAt }: CertificateReading): Refusals {
    const must = this.#asked(player, 'ssh-certificates', 'delete');
    if (must.length > 0) return { must };
    return { must: isRevoked === true ? [400] : [], may: isRevoked === undefined || endsAt <= this.now ? [400] : [] };
  }

  refusalsOfReading(player: Player): Refusals {
    return { must: this.#asked(player, 'ssh-certificates', 'read') };
  }

  /** Of a template as it is after a change: it lets others log in on hosts, or be taken for them. */
  refusalsOfTemplate(player: Player, before: TemplateReading, after: TemplateReading): Refusals {
    if (before.isDeleted) return { must: [404] };
    const asked = this.#asked(player, 'ssh-certificate-templates', 'edit');
    if (asked.length > 0) return { must: asked };
    const { authority, isActive } = after;
    const opened = [
      ...(isActive && after.allowUserCertificates ? this.trusting(authority) : []),
      ...(isActive && after.allowHostCertificates ? this.recognizedBy(authority) : []),
    ];
    const isBeyond = opened.some((host) => !this.canAlwaysOnHost(player, 'edit', host));
    return { must: [...(isBeyond ? [403] : []), ...(ms(after.ttl) > ms(after.maxTTL) ? [400] : [])] };
  }

  refusalsOfTemplateEnd(player: Player, template: TemplateReading): Refusals {
    return { must: template.isDeleted ? [404] : this.#asked(player, 'ssh-certificate-templates', 'delete') };
  }

  refusalsOfStatus(player: Player, authority: AuthorityReading, isActive: boolean): Refusals {
    if (authority.isDeleted) return { must: [404] };
    const must = this.#asked(player, 'ssh-certificate-authorities', 'edit');
    if (must.length > 0) return { must };
    const hosts = [...this.trusting(authority), ...this.recognizedBy(authority)];
    const may = isActive ? this.canAlwaysOnHost : this.canOnHost;
    const isBeyond = hosts.some((host) => !may(player, 'edit', host));
    const isChanged = authority.isActive !== isActive;
    return { must: isBeyond && isChanged ? [403] : [], may: isBeyond ? [403] : [] };
  }

  refusalsOfEnd(player: Player, authority: AuthorityReading): Refusals {
    if (authority.isDeleted) return { must: [404] };
    const must = this.#asked(player, 'ssh-certificate-authorities', 'delete');
    if (must.length > 0) return { must };
    const index = this.authorities.indexOf(authority);
    const named = this.hosts.filter((host) => !host.isDeleted && (host.userCa === index || host.hostCa === index));
    const isNamed = named.length > 0 || this.group.userCa === index;
    const isBeyond = this.trusting(authority).some((host) => !this.canOnHost(player, 'edit', host));
    const templates = this.templates.filter((one) => one.authority === authority && !one.isDeleted);
    const valid = this.certificates.filter((one) => one.authority === authority && one.endsAt > this.now);
    const mayRevoke = this.#isNotForbidden(player, 'ssh-certificates', 'delete');
    const isForbidden =
      (templates.length > 0 && !this.#isNotForbidden(player, 'ssh-certificate-templates', 'delete')) ||
      (valid.some(({ isRevoked }) => isRevoked === false) && !mayRevoke);
    return {
      must: [...(isNamed ? [400] : []), ...(isBeyond || isForbidden ? [403] : [])],
      may: isNamed || (valid.length > 0 && !mayRevoke) ? [403] : [],
    };
  }

  refusalsOfRotation(
    player: Player,
    authority: AuthorityReading,
    { overlap = USUAL_OVERLAP, signAfter = '0s' }: { readonly overlap?: string; readonly signAfter?: string },
  ): Refusals {
    if (authority.isDeleted) return { must: [404] };
    const asked = this.#asked(player, 'ssh-certificate-authorities', 'edit');
    if (asked.length > 0) return { must: asked };
    const { now } = this;
    const pending = this.#pendingOf(authority);
    const until = this.#formerTrustedUntil(authority, overlap, signAfter);
    const isTooLate = pending !== undefined && now + ms(signAfter) >= pending.signsFrom;
    const trusted = authority.keys.filter((key) => key !== pending && key.trustedUntil > now);
    const isFull = trusted.filter((key) => Math.min(key.trustedUntil, until) > now + MINUTE).length >= MOST_KEYS;
    const cannot = (host: HostReading) => !this.canOnHost(player, 'edit', host);
    const hosts = [...this.trusting(authority), ...this.recognizedBy(authority)].filter(cannot);
    // Certificates that hosts would accept after it.
    const cut = this.certificates.filter(
      (one) =>
        one.authority === authority && one.isRevoked === false && one.endsAt > until && one.signer.trustedUntil > until,
    );
    const isCut =
      this.trusting(authority).some((host) => cannot(host) && ms(host.userCertTtl) > until - now - ms(signAfter)) ||
      (cut.some((one) => one.wanted.certType === 'user') && this.trusting(authority).some(cannot)) ||
      (cut.some((one) => one.wanted.certType === 'host' && !one.host) && this.recognizedBy(authority).some(cannot)) ||
      cut.some(({ host }) => host && this.hostAuthorityOf(host) === authority && !host.isRenewing && cannot(host));
    return {
      must: [...(isTooLate ? [400] : []), ...(isCut ? [403] : [])],
      may: [...(isFull ? [400] : []), ...(hosts.length > 0 ? [403] : [])],
    };
  }

  refusalsOfHostEnd(player: Player, host: HostReading): Refusals {
    if (player.isStranger || host.isDeleted) return { must: [404] };
    if (!this.canOnHost(player, 'delete', host)) return { must: [403] };
    const isShared = (one: HostReading) => this.modeOf(one) === 'login-user';
    const gives = isShared(host) && this.mappingsOf(host).some((one) => one.people.length > 0 || one.isTeam);
    const opened = this.trusting(this.userAuthorityOf(host)).filter((one) => one !== host && isShared(one));
    const valid = this.certificates.filter((one) => one.host === host && one.endsAt > this.now);
    const mayRevoke = this.#isNotForbidden(player, 'ssh-certificates', 'delete');
    const isBeyond = gives && opened.some((one) => !this.canOnHost(player, 'edit', one));
    const isForbidden = !mayRevoke && valid.some(({ isRevoked }) => isRevoked === false);
    return { must: isBeyond || isForbidden ? [403] : [], may: mayRevoke ? [] : [403] };
  }

  rotated(authority: AuthorityReading, line: string, overlap = USUAL_OVERLAP, signAfter = '0s'): void {
    const until = this.#formerTrustedUntil(authority, overlap, signAfter);
    const pending = this.#pendingOf(authority);
    if (pending) authority.keys.splice(authority.keys.indexOf(pending), 1);
    for (const key of authority.keys) key.trustedUntil = Math.min(key.trustedUntil, until);
    authority.keys.push({ line, signsFrom: this.now + ms(signAfter), trustedUntil: Infinity });
  }

  #pendingOf = ({ keys }: AuthorityReading): AuthorityKey | undefined =>
    keys.find(({ signsFrom }) => signsFrom > this.now);

  /** The end of the trust of the key that signs now: a rotation that replaces the key of another does not prolong it. */
  #formerTrustedUntil = (authority: AuthorityReading, overlap: string, signAfter: string): number =>
    Math.min(this.now + ms(signAfter) + ms(overlap), this.signerOf(authority).trustedUntil);

  /** Revokes certificates of which this is true, unless they have ended. */
  revoke(which: (one: CertificateReading) => boolean): void {
    for (const one of this.certificates)
      if (which(one) && one.isRevoked !== true) one.isRevoked = one.endsAt > this.now || undefined;
  }

  /** An order that a template allows, if it allows any. */
  plainOrder(template: TemplateReading, given: Order): Order {
    const { allowUserCertificates, allowedUsers, allowedHosts, allowedCriticalOptions } = template;
    const certType = allowUserCertificates ? 'user' : 'host';
    const patterns = certType === 'user' ? allowedUsers : allowedHosts;
    const principals = patterns.map((pattern) => pattern.toLowerCase().replaceAll('*', 'x'));
    const [name] = given.criticalOptions && certType === 'user' ? allowedCriticalOptions : [];
    const criticalOptions = name && { [name]: name === 'force-command' ? 'date' : '192.0.2.1' };
    const ttl = ['5m', '1h'].find((one) => one === given.ttl);
    return { certType, principals, ...(ttl && { ttl }), ...(criticalOptions && { criticalOptions }) };
  }

  /** What the jobs revoke: certificates for hosts whose login has ended. */
  endLogins(): void {
    for (const one of this.certificates) {
      const { host, by, loginUser, wanted } = one;
      if (!host || !by || loginUser === undefined || one.isRevoked || one.endsAt <= this.now) continue;
      if (!this.mayLogIn(by, host, loginUser)) one.isRevoked = true;
      else if (this.userAuthorityOf(host) !== one.authority || !this.#isOf(by, host, loginUser, wanted))
        one.isRevoked = undefined;
    }
  }

  #isOf = (player: Player, host: HostReading, loginUser: string, { principals }: Wanted): boolean =>
    this.wantedByLogin(player, host, loginUser).principals.join() === principals.join();

  /** What is wrong with a certificate as OpenSSH reads it. */
  objectionsToContent({ wanted, signer, issuedAt, endsAt, serialNumber }: CertificateReading, shown: Shown): string[] {
    const expected: Readonly<Record<string, unknown>> = {
      ...{ certType: wanted.certType, serialNumber, signer: fingerprintOf(signer.line) },
      ...(wanted.keyId !== undefined && { keyId: wanted.keyId }),
      ...{ until: Math.floor(endsAt / 1000) * 1000, from: Math.floor((issuedAt - MINUTE) / 1000) * 1000 },
      principals: wanted.principals.join(),
      criticalOptions: wanted.criticalOptions.toSorted().join(),
      extensions: wanted.extensions.toSorted().join(),
    };
    const { keyId, principals, criticalOptions, extensions } = shown;
    const is: Readonly<Record<string, unknown>> = {
      ...{ ...shown, keyId: keyId.split(' ')[0], principals: principals.join() },
      ...{ criticalOptions: criticalOptions.toSorted().join(), extensions: extensions.toSorted().join() },
    };
    return Object.entries(expected).flatMap(([field, value]) =>
      is[field] === value ? [] : [`${field} is ${String(is[field])} instead of ${String(value)}`],
    );
  }

  /** Whether a server that has fetched everything accepts a user certificate; undefined where the guide does not say. */
  isAccepted({ signer, endsAt, isRevoked, authority }: CertificateReading): boolean | undefined {
    if (authority.isDeleted || signer.trustedUntil <= this.now || endsAt <= this.now) return false;
    return isRevoked === undefined ? undefined : !isRevoked;
  }
}
