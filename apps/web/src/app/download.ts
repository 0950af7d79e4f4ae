import { CofferError } from '@coffer/client';
import { requestAsUser } from './session.ts';
import { texts } from './texts.ts';

/**
 * Saves what an operation answers as a file.
 *
 * @throws CofferError for a refusal; TypeError where the answer ends before its end.
 */
export async function download(path: string, name: string): Promise<void> {
  const response = await requestAsUser(path);
  if (!response.ok) throw await errorOf(response);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function errorOf(response: Response): Promise<CofferError> {
  const body = (await response.json().catch(() => ({}))) as { message?: string; error?: string; reqId?: string };
  return new CofferError({
    status: response.status,
    code: 'BAD_REQUEST',
    reason: body.error ?? 'client.refused',
    message: body.message ?? texts.serverAnswered(response.status),
    ...(body.reqId !== undefined && { reqId: body.reqId }),
  });
}
