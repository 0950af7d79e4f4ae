import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { rejected } from '../../family/index.ts';
import type { AzureAnswer, AzureClient, AzureRequest } from './client.ts';

/** The URL of a vault of Azure: others do not get the token. */
export const VAULT_URL = /^https:\/\/[a-z](?:[a-z0-9-]{1,22})[a-z0-9]\.vault\.azure\.net$/;

/** A deleted object is there again some seconds after its recovery: tries, and milliseconds before the second one. */
const TRIES = 6;
const PAUSE_MS = 200;

const Fault = z.object({
  error: z.object({ message: z.string().catch(''), innererror: z.object({ code: z.string() }).optional() }),
});

/** What a vault refuses, and why. */
export const vaultFaultOf = ({ body }: AzureAnswer) => Fault.safeParse(body).data?.error;

/** A request for an object of a vault that may be deleted: its name is not free before its retention ends, so it is recovered first. */
export async function askVault(
  azure: AzureClient,
  url: string,
  request: AzureRequest,
  recoverUrl: string,
): Promise<AzureAnswer> {
  for (let tries = 0; ; tries++) {
    const answer = await azure.ask(url, { ...request, expected: [409] });
    if (answer.status !== 409) return answer;
    const { message = '', innererror } = vaultFaultOf(answer) ?? {};
    if (tries === TRIES || !/^Object(?:IsDeletedButRecoverable|IsBeing\w+)$/.test(innererror?.code ?? ''))
      throw rejected(url, 409, message);
    if (innererror?.code === 'ObjectIsDeletedButRecoverable')
      await azure.ask(recoverUrl, { method: 'POST', expected: [404, 409] });
    else await sleep(PAUSE_MS * 2 ** tries);
  }
}
