import aws4 from 'aws4';
import type { AwsService } from './service.ts';

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials. */
  readonly sessionToken?: string;
}

/** The headers of a POST request, signed by Signature Version 4. */
export function sign(
  { name, host, region }: AwsService,
  keys: AwsKeys,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  now: Date,
): Record<string, string> {
  const headers = { ...request.headers, 'X-Amz-Date': now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '') };
  const { headers: signed = {} } = aws4.sign(
    { host, path: '/', service: name, region, method: 'POST', headers, body: request.body },
    { ...keys },
  );
  return Object.fromEntries(Object.entries(signed).map(([header, value]) => [header, String(value)]));
}
