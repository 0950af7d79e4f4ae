import { CA, Certificates, createAuthority, DAY, eventsOf, ok } from './certificates.ts';
import type { Caller, TestServer } from './test-server.ts';

/** As serial numbers are given here. */
export const SERIAL_NUMBER = /^[0-7][0-9a-f]{39}$/;

/** Creates authorities of every kind in a project, with common checks. */
export class Authorities extends Certificates {
  static override async in(test: TestServer): Promise<Authorities> {
    return new Authorities(test, (await test.project()).id);
  }

  /** Creates one, by default a root on P-256; returns the response. */
  make(configuration: Record<string, unknown> = {}, more: object = {}, call: Caller = this.test.admin) {
    return createAuthority(call, { projectId: this.projectId, configuration, more });
  }

  async certificateOf(id: string) {
    return ok(await this.test.admin('GET', `${CA}/${id}/certificate`));
  }

  async csrOf(id: string): Promise<string> {
    return ok(await this.test.admin('GET', `${CA}/${id}/csr`)).csr;
  }

  /** By the clock of the test. */
  inDays(days: number): string {
    return new Date(this.test.coffer.now().getTime() + days * DAY).toISOString();
  }

  /** What was recorded about an authority, the oldest first. */
  async events(caId: string): Promise<string[]> {
    return (await eventsOf(this.test, { caId })).map((type) => type.replace('certificate_authority.', ''));
  }
}
