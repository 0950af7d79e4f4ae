import type { z } from 'zod';
import type { Connector } from '../../../connections/connection/index.ts';

/** The TXT records of one zone. */
export interface DnsZone {
  /**
   * Adds a value to a name, beside others. Idempotent. Returns what `isServed` asks about; `undefined` if there is nothing
   * to ask.
   */
  addText(name: string, value: string): Promise<string | undefined>;
  /** Takes it away again; others stay. Idempotent. */
  removeText(name: string, value: string): Promise<void>;
  /** Whether all name servers have a change. Absent where the provider does not tell. */
  isServed?(change: string): Promise<boolean>;
}

/** A provider of DNS, at which the records of challenges are made. */
export interface DnsProvider {
  /** The published name. */
  readonly provider: string;
  /** For people. */
  readonly title: string;
  readonly connector: Connector;
  /** How the provider identifies a zone. */
  readonly hostedZoneId: z.ZodType<string>;
  open(client: unknown, hostedZoneId: string): Promise<DnsZone>;
}

/** Declares a provider, typed by the client of its connector. */
export const defineDnsProvider = <const Name extends string, Client>(
  declaration: Omit<DnsProvider, 'provider' | 'connector' | 'open'> & {
    readonly provider: Name;
    readonly connector: Connector<Client>;
    open(client: Client, hostedZoneId: string): DnsZone | Promise<DnsZone>;
  },
): DnsProvider & { readonly provider: Name } => ({
  ...declaration,
  open: async (client, hostedZoneId) => declaration.open(client as Client, hostedZoneId),
});
