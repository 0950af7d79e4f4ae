import type { OutboundFetch } from '@coffer/domain';
import { AwsAccount, StandIns } from '@coffer/domain/testing';
import type { Dice } from '../granting/dice.ts';
import { Vaults } from './vaults.ts';

type Contents = Readonly<Record<string, string>>;
export type Kind = 'vault' | 'aws';

/** The server of the administrator, and one of somebody else. */
const HOSTS = ['vault.acme.example', 'vault.evil.example'] as const;
const TOKENS = ['hvs.one', 'hvs.two'] as const;
const REGION = 'eu-central-1';
const AWS = 'account';
/** Keys of the actors, of another account. */
const OTHER = { accessId: 'AKIAIOSFODNN7OTHERXX', accessToken: 'of-another-account' };

/** A change of some credentials: what is sent, and what is then known of them. */
export interface AuthChange {
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly system: string;
  /** Whether all that is secret in them is sent. */
  readonly isGivenAgain: boolean;
}

/** The systems of a search: Vault servers in memory, and an account at AWS with two keys. */
export class Systems {
  readonly #vaults = new Vaults(HOSTS[0], TOKENS);
  readonly #aws = new AwsAccount({ region: REGION });
  readonly #keys = [this.#aws.keys, this.#aws.keysOf(`arn:aws:iam::${this.#aws.id}:user/second`)].map(
    ({ accessKeyId, secretAccessKey }) => ({ accessId: accessKeyId, accessToken: secretAccessKey }),
  );
  readonly #standIns = new StandIns();

  static async serve(): Promise<Systems> {
    const systems = new Systems();
    await systems.#aws.serve(systems.#standIns);
    return systems;
  }

  close(): Promise<void> {
    return this.#standIns.close();
  }

  readonly fetch: OutboundFetch = (url, request) =>
    new URL(url).hostname.startsWith('vault.') ? this.#vaults.fetch(url, request) : this.#standIns.fetch(url, request);

  /** Whether calls fail now: all of them, or those that write. */
  set failing(failing: 'nothing' | 'writes' | 'all') {
    this.#vaults.failing = failing;
    const isFailing = (action: string) => failing === 'all' || (failing === 'writes' && !action.includes('Get'));
    this.#aws.fault = (action) => (isFailing(action) ? { type: 'InternalServiceError', status: 500 } : undefined);
  }

  held(system: string, path: string): Contents {
    if (system !== AWS) return this.#vaults.held(system, path);
    return JSON.parse(this.#aws.secrets.get(path)?.value ?? '{}') as Contents;
  }

  /** Two credentials of the administrator for one system. */
  twoOf(kind: Kind): { integration: string; system: string; fields: Readonly<Record<string, string>> }[] {
    if (kind === 'aws') return this.#keys.map((fields) => ({ integration: 'aws-secret-manager', system: AWS, fields }));
    const url = `https://${HOSTS[0]}`;
    return TOKENS.map((accessToken) => ({
      ...{ integration: 'hashicorp-vault', system: HOSTS[0] },
      fields: { accessToken, url },
    }));
  }

  /** The fields of an integration for a path of a system. */
  readonly targetOf = (kind: Kind, path: string): Readonly<Record<string, string>> =>
    kind === 'aws' ? { region: REGION, app: path } : { app: 'secret', path };

  /** Only the administrator knows credentials of its systems. */
  change(kind: Kind, dice: Dice, isAdmin: boolean, system: string): AuthChange {
    return kind === 'aws' ? this.#awsChange(dice, isAdmin, system) : vaultChange(dice, isAdmin, system);
  }

  #awsChange(dice: Dice, isAdmin: boolean, system: string): AuthChange {
    if (isAdmin) return { fields: dice.one(this.#keys), system: AWS, isGivenAgain: true };
    const accessId = dice.one([OTHER, ...this.#keys]).accessId;
    const there = accessId === OTHER.accessId ? 'another account' : AWS;
    if (dice.is(70)) return { fields: { accessId }, system: there, isGivenAgain: false };
    const { accessToken } = OTHER;
    return dice.is(50)
      ? { fields: { accessToken }, system, isGivenAgain: false }
      : { fields: { accessId, accessToken }, system: there, isGivenAgain: true };
  }
}

function vaultChange(dice: Dice, isAdmin: boolean, before: string): AuthChange {
  const system = dice.is(50) ? dice.one(HOSTS) : before;
  const isGivenAgain = dice.is(70) || system !== before;
  const accessToken = isGivenAgain ? (isAdmin ? dice.one(TOKENS) : 'hvs.own') : undefined;
  return { fields: { accessToken, ...(system !== before && { url: `https://${system}` }) }, system, isGivenAgain };
}
