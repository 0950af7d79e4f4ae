import { enqueueDueSshHostCertificates, formerSshKeys, renewSshHostCertificateJob } from '@coffer/domain';
import { DAY, nameOf, ok } from '../certificates.ts';
import { rawly } from '../revocation.ts';
import { endLogins, groupUrl, HOSTS, hostUrl, mapping, SshHosts, type Person } from '../ssh-hosts.ts';
import { PUBLIC_KEY, SSH_CA, SSH_CERTIFICATES, SSH_TEMPLATES } from '../ssh.ts';
import { LOGIN_USERS, type NewHost, type Order, type Settings, type Step, type World } from './arbitrary.ts';
import { acceptedAs, revokedIn, showCertificates } from './openssh.ts';
import {
  MINUTE,
  ms,
  Reading,
  type AuthorityReading,
  type CertificateReading,
  type HostReading,
  type TemplateReading,
} from './reading.ts';
import type { Answer, TestServer } from '../test-server.ts';
import { ask, objectionsToStatus, Player, type Players } from '../worlds.ts';

/** How many certificates of a world are shown to OpenSSH as at a login. */
const SHOWN = 2;
const HOUR = DAY / 24;

/** What happens without the knowledge of the reading. */
export interface Meddling {
  readonly atFirst?: (reading: Reading) => Promise<void>;
  readonly atLast?: (reading: Reading) => Promise<void>;
}

/** Who may be mapped to login users. */
interface Somebody {
  readonly person: Person;
  readonly player: Player;
  isMember: boolean;
}

/** A world as it is played. */
export class Play {
  readonly #test: TestServer;
  readonly #players: Players;
  readonly #reading: Reading;
  readonly #ssh: SshHosts;
  readonly #people: Somebody[] = [];
  #team = { id: '', slug: '' };
  #hostGroup = { id: '' };

  constructor(players: Players) {
    this.#test = players.test;
    this.#players = players;
    this.#reading = new Reading(players);
    this.#ssh = new SshHosts(players.test, players.projectId);
  }

  async #begin({ templates, hosts, group }: World): Promise<void> {
    const [reading, { projectId }] = [this.#reading, this.#players];
    for (let index = 0; index < 2; index++) {
      const person = await this.#ssh.person();
      const player = new Player(person.id, person.call, { lasting: [], temporary: [] });
      this.#people.push({ person, player, isMember: true });
      reading.people.push(player);
      const { ca } = ok(await this.#test.admin('POST', SSH_CA, { projectId, friendlyName: nameOf('authority') }));
      const key = { line: ca.publicKey, signsFrom: 0, trustedUntil: Infinity };
      reading.authorities.push({ id: ca.id, keys: [key], isActive: true, isDeleted: false });
    }
    // A person and a machine.
    const [{ player, person }, machine] = [this.#people[0]!, this.#players.all[1]!];
    this.#team = await this.#ssh.group(person);
    ok(await this.#test.admin('POST', `/api/v1/groups/${this.#team.id}/machine-identities/${machine.id}`));
    for (const one of [player, machine]) reading.team.add(one);
    const [users, machines] = reading.authorities;
    const defaults = { defaultUserSshCaId: users!.id, defaultHostSshCaId: machines!.id };
    ok(await this.#test.admin('PATCH', `/api/v1/workspace/${projectId}/ssh-config`, defaults));
    this.#hostGroup = await this.#ssh.hostGroup(this.#settingsOf(group));
    reading.group = this.#readSettings(group);
    for (const { ca, ...given } of templates) {
      const authority = reading.authorities[ca]!;
      const body = { sshCaId: authority.id, name: nameOf('template'), ...given };
      const { id } = ok(await this.#test.admin('POST', SSH_TEMPLATES, body));
      reading.templates.push({ ...given, id, authority, isActive: true, isDeleted: false });
    }
    for (const given of hosts) {
      const { id } = ok(await this.#test.admin('POST', HOSTS, { projectId, ...this.#bodyOf(given) }));
      reading.hosts.push({ id, isDeleted: false, isInGroup: false, isRenewing: false, ...this.#read(given) });
    }
    await this.#join(reading.hosts[0]!, true);
  }

  #mapped = ({ mappings }: Settings) =>
    mappings.map(({ loginUser, people, isTeam }) => ({
      ...{ loginUser, isTeam },
      people: this.#people.filter(({ isMember }, index) => isMember && people.includes(index)),
    }));

  /** As it is sent, */
  #settingsOf(given: Settings) {
    const { principalMode, userCa } = given;
    return {
      ...{ principalMode, userSshCaId: userCa === null ? null : this.#reading.authorities[userCa]!.id },
      loginMappings: this.#mapped(given).map(({ loginUser, people, isTeam }) =>
        mapping(loginUser, { users: people.map(({ person }) => person), groups: isTeam ? [this.#team] : [] }),
      ),
    };
  }

  /** and as it is read. */
  #readSettings(given: Settings) {
    const { principalMode, userCa } = given;
    const mappings = this.#mapped(given).map(({ people, ...one }) => ({
      ...one,
      people: people.map(({ player }) => player),
    }));
    return { principalMode, userCa, mappings };
  }

  #bodyOf(given: NewHost) {
    const { hostname, userCertTtl, hostCertTtl, hostCa } = given;
    const hostSshCaId = this.#reading.authorities[hostCa]!.id;
    return { hostname, userCertTtl, hostCertTtl, hostSshCaId, ...this.#settingsOf(given) };
  }

  #read = ({ hostname, userCertTtl, hostCertTtl, hostCa, ...given }: NewHost) => ({
    ...{ hostname, userCertTtl, hostCertTtl, hostCa, ...this.#readSettings(given) },
  });

  async #do(player: Player, step: Step): Promise<string[]> {
    const { what, which, isOn, rights } = step;
    const { authorities, templates, hosts, certificates } = this.#reading;
    const isLast = authorities.some(({ isDeleted }) => isDeleted);
    const one = <T>(of: readonly T[]): T => of[which % of.length]!;
    switch (what) {
      case 'issue':
      case 'sign':
        return this.#order(player, one(templates), step);
      case 'login':
        return this.#logIn(player, one(hosts), step);
      case 'host-cert':
        return this.#hostCert(player, one(hosts), step);
      case 'revoke':
      case 'read':
        return certificates.length === 0 ? [] : this.#withCertificate(player, one(certificates), step);
      case 'list':
        return this.#list(player, step);
      case 'template':
        return this.#changeTemplate(player, one(templates), step);
      case 'delete-template':
        return this.#deleteTemplate(player, one(templates), step);
      case 'authority':
        return this.#setStatus(player, one(authorities), step);
      case 'delete-authority':
        // One has to be left.
        return isLast ? [] : this.#deleteAuthority(player, one(authorities), step);
      case 'rotate':
        return this.#rotate(player, one(authorities), step);
      case 'host':
        return this.#changeHost(one(hosts), step);
      case 'delete-host':
        return this.#deleteHost(player, one(hosts), step);
      case 'membership':
        return this.#changeMembership(one(this.#people), isOn);
      case 'team':
        return this.#changeTeam(isOn);
      case 'group':
        return this.#changeGroup(step);
      case 'join':
        return this.#join(one(hosts), isOn);
      case 'default':
        return this.#changeDefault(isOn ? 1 : 0);
      case 'other rights':
        await this.#players.give(player, rights);
        return [];
      default:
        return this.#later(what === 'a day' ? DAY : HOUR);
    }
  }

  #keep(
    body: Answer['body'],
    more: Pick<CertificateReading, 'authority' | 'wanted'> & Partial<CertificateReading>,
    ttl: string,
  ): void {
    const { now, certificates } = this.#reading;
    const { serialNumber, signedKey, privateKey } = body;
    certificates.push({
      ...{ serialNumber, signedKey, privateKey, issuedAt: now, endsAt: now + ms(ttl), isRevoked: false },
      signer: this.#reading.signerOf(more.authority),
      ...more,
    });
  }

  async #order(player: Player, template: TemplateReading, step: Step): Promise<string[]> {
    const reading = this.#reading;
    const { what, isTrpc, odd, order: given } = step;
    const plain = reading.plainOrder(template, given);
    const isOdd = odd in given && given.certType === plain.certType;
    const order = odd === 'everything' ? given : { ...plain, ...(isOdd && { [odd]: given[odd as keyof Order] }) };
    const answer = await ask(player, isTrpc, {
      ...{ method: 'POST', url: `${SSH_CERTIFICATES}/${what}`, procedure: `sshCertificates.${what}` },
      body: { certificateTemplateId: template.id, ...order, ...(what === 'sign' && { publicKey: PUBLIC_KEY }) },
    });
    const { authority, ttl } = template;
    const wanted = reading.wantedBy(player, template, order);
    if (answer.status === 200) this.#keep(answer.body, { authority, wanted, by: player }, order.ttl ?? ttl);
    return objectionsToStatus(answer, reading.refusalsOfOrder(player, template, order));
  }

  async #logIn(anybody: Player, host: HostReading, step: Step): Promise<string[]> {
    const reading = this.#reading;
    const { odd, isTrpc, which } = step;
    const isPlain = odd !== 'everything';
    const mappings = reading.mappingsOf(host);
    const mapped = mappings[which % Math.max(1, mappings.length)];
    const [member] = mapped?.isTeam ? [...reading.team].slice(which % 2) : [];
    const player = isPlain ? (mapped?.people[0] ?? member ?? reading.people[0]!) : anybody;
    const loginUser = isPlain ? (mapped?.loginUser ?? step.loginUser) : step.loginUser;
    const answer = await ask(player, isTrpc, {
      ...{ method: 'POST', url: hostUrl(host, '/issue-user-cert'), procedure: 'sshHosts.issueUserCert' },
      ...{ named: { sshHostId: host.id }, body: { loginUser } },
    });
    const wanted = reading.wantedByLogin(player, host, loginUser);
    const more = { authority: reading.userAuthorityOf(host), wanted, host, by: player, loginUser };
    if (answer.status === 200) this.#keep(answer.body, more, host.userCertTtl);
    return objectionsToStatus(answer, reading.refusalsOfLogin(player, host, loginUser));
  }

  async #hostCert(player: Player, host: HostReading, { isOn: autoRenewal, isTrpc }: Step): Promise<string[]> {
    const reading = this.#reading;
    const answer = await ask(player, isTrpc, {
      ...{ method: 'POST', url: hostUrl(host, '/issue-host-cert'), procedure: 'sshHosts.issueHostCert' },
      ...{ named: { sshHostId: host.id }, body: { publicKey: PUBLIC_KEY, autoRenewal } },
    });
    const found = objectionsToStatus(answer, reading.refusalsOfHostCert(player, host, autoRenewal));
    if (answer.status !== 200) return found;
    const more = { authority: reading.hostAuthorityOf(host), wanted: reading.wantedByHost(host), host };
    this.#keep(answer.body, more, host.hostCertTtl);
    host.isRenewing = autoRenewal;
    return found;
  }

  async #withCertificate(player: Player, one: CertificateReading, { what, isTrpc }: Step): Promise<string[]> {
    const reading = this.#reading;
    const isRead = what === 'read';
    const url = `${SSH_CERTIFICATES}/${one.serialNumber}${isRead ? '' : '/revoke'}`;
    const answer = await ask(player, isTrpc, {
      ...{ method: isRead ? 'GET' : 'POST', url, procedure: `sshCertificates.${isRead ? 'get' : 'revoke'}` },
      named: { serialNumber: one.serialNumber },
    });
    const refusals = isRead ? reading.refusalsOfReading(player) : reading.refusalsOfRevocation(player, one);
    if (answer.status === 200 && !isRead) {
      one.isRevoked = true;
      if (one.wanted.certType === 'host' && one.host && this.#newestOf(one.host) === one) one.host.isRenewing = false;
    }
    return objectionsToStatus(answer, refusals);
  }

  #newestOf = (host: HostReading): CertificateReading | undefined =>
    this.#reading.certificates.findLast((one) => one.host === host && one.wanted.certType === 'host');

  /** Each certificate in the list as it is alone. */
  async #list(player: Player, { isTrpc, which }: Step): Promise<string[]> {
    const { projectId } = this.#players;
    const answer = await ask(player, isTrpc, {
      ...{ method: 'GET', url: `/api/v2/workspace/${projectId}/ssh-certificates`, procedure: 'sshCertificates.list' },
      ...{ named: { projectId }, body: { limit: 100 } },
    });
    const found = objectionsToStatus(answer, this.#reading.refusalsOfReading(player));
    if (answer.status !== 200) return found;
    const shown: { serialNumber: string }[] = answer.body.certificates;
    const [all, listed] = [this.#reading.certificates, shown].map((of) => of.map((one) => one.serialNumber).toSorted());
    if (all!.join() !== listed!.join()) found.push('other certificates in the list');
    const some = shown[which % Math.max(1, shown.length)];
    if (!some) return found;
    const { certificate } = ok(await this.#test.admin('GET', `${SSH_CERTIFICATES}/${some.serialNumber}`));
    const { signedKey: _, ...alone } = certificate;
    return JSON.stringify(alone) === JSON.stringify(some) ? found : [...found, 'another certificate than alone'];
  }

  async #changeTemplate(player: Player, one: TemplateReading, { template, isTrpc }: Step): Promise<string[]> {
    const { status, ...changes } = template;
    const after = { ...one, ...changes, isActive: status === undefined ? one.isActive : status === 'active' };
    const answer = await ask(player, isTrpc, {
      ...{ method: 'PATCH', url: `${SSH_TEMPLATES}/${one.id}`, procedure: 'sshTemplates.update' },
      ...{ named: { certificateTemplateId: one.id }, body: template },
    });
    const found = objectionsToStatus(answer, this.#reading.refusalsOfTemplate(player, one, after));
    if (answer.status === 200) Object.assign(one, after);
    return found;
  }

  async #deleteTemplate(player: Player, one: TemplateReading, { isTrpc }: Step): Promise<string[]> {
    const answer = await ask(player, isTrpc, {
      ...{ method: 'DELETE', url: `${SSH_TEMPLATES}/${one.id}`, procedure: 'sshTemplates.delete' },
      named: { certificateTemplateId: one.id },
    });
    const found = objectionsToStatus(answer, this.#reading.refusalsOfTemplateEnd(player, one));
    if (answer.status === 200) one.isDeleted = true;
    return found;
  }

  async #setStatus(player: Player, one: AuthorityReading, { isTrpc }: Step): Promise<string[]> {
    const isOn = !one.isActive;
    const answer = await ask(player, isTrpc, {
      ...{ method: 'PATCH', url: `${SSH_CA}/${one.id}`, procedure: 'sshAuthorities.update' },
      ...{ named: { sshCaId: one.id }, body: { status: isOn ? 'active' : 'disabled' } },
    });
    const found = objectionsToStatus(answer, this.#reading.refusalsOfStatus(player, one, isOn));
    if (answer.status === 200) one.isActive = isOn;
    return found;
  }

  async #deleteAuthority(player: Player, one: AuthorityReading, { isTrpc }: Step): Promise<string[]> {
    const answer = await ask(player, isTrpc, {
      ...{ method: 'DELETE', url: `${SSH_CA}/${one.id}`, procedure: 'sshAuthorities.delete' },
      named: { sshCaId: one.id },
    });
    const found = objectionsToStatus(answer, this.#reading.refusalsOfEnd(player, one));
    if (answer.status !== 200) return found;
    one.isDeleted = true;
    for (const template of this.#reading.templates) template.isDeleted ||= template.authority === one;
    const others = this.#reading.authorities.flatMap(({ isDeleted }, index) => (isDeleted ? [] : index));
    if (others.length === 1) await this.#changeDefault(others[0]!);
    return found;
  }

  async #rotate(player: Player, one: AuthorityReading, { rotation, isTrpc }: Step): Promise<string[]> {
    const answer = await ask(player, isTrpc, {
      ...{ method: 'POST', url: `${SSH_CA}/${one.id}/rotate`, procedure: 'sshAuthorities.rotate' },
      ...{ named: { sshCaId: one.id }, body: rotation },
    });
    const found = objectionsToStatus(answer, this.#reading.refusalsOfRotation(player, one, rotation));
    if (answer.status !== 200) return found;
    const { lines } = await this.#publicKeys(one);
    const added = lines.find((line) => one.keys.every((key) => key.line !== line));
    if (added === undefined) return ['no new key'];
    this.#reading.rotated(one, added, rotation.overlap, rotation.signAfter);
    return [...found, ...(await this.#objectionsToKeys(one))];
  }

  /** By the administrator: the search of logins is about who may do it. */
  async #changeHost(host: HostReading, { host: given }: Step): Promise<string[]> {
    if (host.isDeleted) return [];
    const { status, body } = await this.#test.admin('PATCH', hostUrl(host), this.#bodyOf(given));
    const { hostname } = host;
    if (status === 200) Object.assign(host, this.#read(given));
    if (host.hostname === hostname) return status < 500 ? [] : [`${status} ${body.message}`];
    this.#reading.revoke((one) => one.host === host && one.wanted.certType === 'host');
    host.isRenewing = false;
    return [];
  }

  async #deleteHost(player: Player, host: HostReading, { isTrpc }: Step): Promise<string[]> {
    const answer = await ask(player, isTrpc, {
      ...{ method: 'DELETE', url: hostUrl(host), procedure: 'sshHosts.delete', named: { sshHostId: host.id } },
    });
    const found = objectionsToStatus(answer, this.#reading.refusalsOfHostEnd(player, host));
    if (answer.status !== 200) return found;
    host.isDeleted = true;
    this.#reading.revoke((one) => one.host === host);
    return found;
  }

  async #changeMembership(one: Somebody, isMember: boolean): Promise<string[]> {
    if (one.isMember === isMember) return [];
    await (isMember ? this.#ssh.add(one.person) : this.#ssh.remove(one.person));
    one.isMember = isMember;
    if (!isMember)
      for (const { mappings } of [...this.#reading.hosts, this.#reading.group])
        for (const mapped of mappings) mapped.people = mapped.people.filter((player) => player !== one.player);
    return [];
  }

  async #changeTeam(isIn: boolean): Promise<string[]> {
    const [{ person, player }, { team }] = [this.#people[0]!, this.#reading];
    if (team.has(player) === isIn) return [];
    ok(await this.#test.admin(isIn ? 'POST' : 'DELETE', `/api/v1/groups/${this.#team.id}/users/${person.email}`));
    if (isIn) team.add(player);
    else team.delete(player);
    return [];
  }

  async #changeGroup({ host: given }: Step): Promise<string[]> {
    const { status } = await this.#test.admin('PATCH', groupUrl(this.#hostGroup), this.#settingsOf(given));
    if (status === 200) this.#reading.group = this.#readSettings(given);
    return [];
  }

  async #join(host: HostReading, isIn: boolean): Promise<string[]> {
    if (host.isDeleted || host.isInGroup === isIn) return [];
    ok(await this.#test.admin(isIn ? 'POST' : 'DELETE', groupUrl(this.#hostGroup, `/hosts/${host.id}`)));
    host.isInGroup = isIn;
    return [];
  }

  async #changeDefault(defaultUserCa: number): Promise<string[]> {
    const [reading, { projectId }] = [this.#reading, this.#players];
    const defaults = { defaultUserSshCaId: reading.authorities[defaultUserCa]!.id };
    const { status } = await this.#test.admin('PATCH', `/api/v1/workspace/${projectId}/ssh-config`, defaults);
    if (status === 200) reading.defaultUserCa = defaultUserCa;
    return [];
  }

  /** Time passes, and what the worker does: revocations, renewals. */
  async #later(passed: number): Promise<string[]> {
    const reading = this.#reading;
    const due = reading.hosts.filter((host) => this.#isDueBy(host, reading.now + passed));
    this.#test.advance(passed);
    const anywhere = this.#test.coffer.contextFor({ type: 'platform', organizationId: undefined });
    await endLogins(this.#test, this.#test.organizationId);
    await formerSshKeys.run(anywhere, {}, {} as never);
    reading.endLogins();
    await enqueueDueSshHostCertificates(anywhere);
    const { rows } = await this.#test.coffer.pool.query<{ payload: { organizationId: string; id: string } }>(
      `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = $1`,
      [renewSshHostCertificateJob.name],
    );
    for (const { payload } of rows) {
      const platform = this.#test.coffer.contextFor({ type: 'platform', organizationId: payload.organizationId });
      await renewSshHostCertificateJob.run(platform, payload, {} as never).catch(() => undefined);
    }
    await this.#test.coffer.pool.query('delete from graphile_worker._private_jobs');
    return this.#renewed(due);
  }

  /** In the last third of its time, or when another key signs. */
  #isDueBy(host: HostReading, time: number): boolean {
    const newest = this.#newestOf(host);
    if (
      !host.isRenewing ||
      host.isDeleted ||
      !this.#reading.hostAuthorityOf(host).isActive ||
      newest?.isRevoked !== false
    )
      return false;
    const { issuedAt, endsAt, signer, authority } = newest;
    const isReplaced = authority.keys.some(({ signsFrom }) => signsFrom > signer.signsFrom && signsFrom <= time);
    return time > endsAt - (endsAt - issuedAt) / 3 + MINUTE || isReplaced;
  }

  /** Adopts the certificates that were renewed. */
  async #renewed(due: readonly HostReading[]): Promise<string[]> {
    const reading = this.#reading;
    const all = `/api/v2/workspace/${this.#players.projectId}/ssh-certificates?limit=100`;
    const { certificates } = ok(await this.#test.admin('GET', all));
    const found: string[] = [];
    const renewed = new Set<HostReading>();
    for (const { serialNumber, sshHostId } of certificates) {
      if (reading.certificates.some((one) => one.serialNumber === serialNumber)) continue;
      const host = reading.hosts.find(({ id }) => id === sshHostId);
      if (!host?.isRenewing) {
        found.push('a certificate that nobody asked for');
        continue;
      }
      renewed.add(host);
      const { certificate } = ok(await this.#test.admin('GET', `${SSH_CERTIFICATES}/${serialNumber}`));
      const more = { authority: reading.hostAuthorityOf(host), wanted: reading.wantedByHost(host), host };
      this.#keep(certificate, more, host.hostCertTtl);
    }
    return due.every((host) => renewed.has(host)) ? found : [...found, 'a host certificate that is not renewed'];
  }

  async #publicKeys({ id }: AuthorityReading): Promise<{ status: number; lines: string[] }> {
    const { status, octets } = await rawly(this.#test)('GET', `${SSH_CA}/${id}/public-key`);
    return { status, lines: octets.toString().split('\n').slice(0, -1) };
  }

  async #objectionsToKeys(one: AuthorityReading): Promise<string[]> {
    const { status, lines } = await this.#publicKeys(one);
    if (one.isDeleted) return status === 404 ? [] : [`${status} for the key of a deleted authority`];
    const expected = this.#reading.publishedBy(one);
    return lines.toSorted().join() === expected.toSorted().join() ? [] : ['other keys are trusted'];
  }

  /** What the host fetches is its newest certificate, while that is valid. */
  async #objectionsToHostCertificate(host: HostReading): Promise<string[]> {
    const newest = this.#newestOf(host);
    if (newest?.isRevoked === undefined && newest) return [];
    const { status, body } = await this.#test.as()('GET', hostUrl(host, '/host-certificate'));
    const isValid = newest && !host.isDeleted && !newest.isRevoked && newest.endsAt > this.#reading.now;
    const isRight = isValid ? status === 200 && body.split(' ')[1] === newest.signedKey.split(' ')[1] : status === 404;
    return isRight ? [] : [`${status} for the certificate of a host`];
  }

  /** What OpenSSH makes of all certificates, by what hosts fetch. */
  async #objectionsToTrust(): Promise<string[]> {
    const reading = this.#reading;
    const { now, certificates } = reading;
    const found: string[] = [];
    const shown = await showCertificates(certificates.map((one) => one.signedKey));
    for (const [index, one] of certificates.entries())
      found.push(...reading.objectionsToContent(one, shown[index]!).map((said) => `a certificate: ${said}`));
    for (const host of reading.hosts) found.push(...(await this.#objectionsToHostCertificate(host)));
    for (const authority of reading.authorities) {
      found.push(...(await this.#objectionsToKeys(authority)));
      const krl = (await rawly(this.#test)('GET', `${SSH_CA}/${authority.id}/krl`)).octets;
      const its = certificates.filter((one) => one.authority === authority && one.endsAt > now);
      const isListed = await revokedIn(
        krl,
        its.map(({ signedKey }) => signedKey),
      );
      for (const [index, { isRevoked, serialNumber, wanted, host }] of its.entries()) {
        const expected = authority.isDeleted || isRevoked;
        if (expected !== undefined && isListed[index] !== expected)
          found.push(
            `the list: ${serialNumber} for ${wanted.principals.join()} ${host ? 'of a host' : ''} ${expected}`,
          );
      }
      const publicKeys = authority.isDeleted
        ? authority.keys.map(({ line }) => line)
        : (await this.#publicKeys(authority)).lines;
      const logins = certificates.filter((one) => one.authority === authority && one.wanted.certType === 'user');
      for (const one of logins.filter(({ privateKey }) => privateKey).slice(-SHOWN)) {
        const { privateKey, signedKey, wanted } = one;
        // For one of its own principals, and for another one.
        const others = LOGIN_USERS.filter((name) => !wanted.principals.includes(name));
        const principals = [wanted.principals[0]!, ...others.slice(0, 1)];
        const names = await acceptedAs({ privateKey: privateKey!, signedKey }, { publicKeys, krl, now }, principals);
        const isAccepted = reading.isAccepted(one);
        if (isAccepted === undefined) continue;
        const expected = isAccepted ? wanted.principals.slice(0, 1) : [];
        if (names.toSorted().join() !== expected.toSorted().join())
          found.push(`OpenSSH accepts ${names.join() || 'nobody'} instead of ${expected.join() || 'nobody'}`);
      }
    }
    return found;
  }

  /** Each certificate has its events, with whom they are of. */
  async #objectionsToLog(): Promise<string[]> {
    const { rows } = await this.#test.coffer.pool.query<{ serial: string; type: string; actor: string | null }>(
      `select data ->> 'serialNumber' as serial, type, actor_id as actor from audit_events
       where data ->> 'serialNumber' = any($1) order by id`,
      [this.#reading.certificates.map(({ serialNumber }) => serialNumber)],
    );
    return this.#reading.certificates.flatMap(({ serialNumber, isRevoked, by }) => {
      const [first, ...others] = rows.filter(({ serial }) => serial === serialNumber);
      const isMade = /issued|signed/.test(first?.type ?? '') && (!by || first!.actor === by.id);
      const count = isRevoked === undefined ? others.length : Number(isRevoked);
      const isRight = others.length === count && others.every(({ type }) => type === 'ssh_certificate.revoked');
      return isMade && isRight
        ? []
        : [`the log: ${[first, ...others].map((one) => one?.type).join()} of a certificate, revoked: ${isRevoked}`];
    });
  }

  async objections(world: World, { atFirst, atLast }: Meddling = {}): Promise<string[]> {
    await this.#begin(world);
    await atFirst?.(this.#reading);
    const found: string[] = [];
    for (const step of world.steps) {
      const by = step.by % this.#players.all.length;
      const said = await this.#do(this.#players.all[by]!, step);
      found.push(...said.map((one) => `${step.what} by ${by}${step.isTrpc ? ' over tRPC' : ''}: ${one}`));
    }
    await atLast?.(this.#reading);
    found.push(...(await this.#later(1000)));
    return [
      ...found,
      ...(await this.#objectionsToTrust()),
      ...(await this.#objectionsToLog()),
      ...(await this.#players.end()),
    ];
  }
}
