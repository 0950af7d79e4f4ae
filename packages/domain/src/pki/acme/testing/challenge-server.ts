import { debianProgram, freePorts, startServer } from '../../../outbound/testing/server-process.ts';

const COMMAND = '/usr/bin/pebble-challtestsrv';
/** Tests with it are skipped if it is missing; in CI, where it is installed, they then fail. */
export const challengeServer = debianProgram(COMMAND, 'pebble');

export interface ChallengeServer {
  /** `address:port` of the name server; every name has the address 127.0.0.1 unless it is set otherwise. */
  readonly nameServer: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly tlsPort: number;
  /** Its management address. */
  readonly managementUrl: string;
  /** A management command: `set-txt`, `add-http01`, `add-tlsalpn01`, `set-default-ipv4`, … */
  tell(what: string, body: object): Promise<void>;
  stop(): Promise<void>;
}

/** Starts pebble's challenge test server on free ports of 127.0.0.1. */
export async function startChallengeServer(): Promise<ChallengeServer> {
  challengeServer.require();
  const [dns, httpPort, httpsPort, tlsPort, management] = (await freePorts(5)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const at = (port: number) => `127.0.0.1:${port}`;
  const started = await startServer(
    COMMAND,
    [
      ...['-dns01', at(dns), '-http01', at(httpPort), '-https01', at(httpsPort), '-tlsalpn01', at(tlsPort)],
      ...['-management', at(management), '-defaultIPv6', ''],
    ],
    { port: management },
  );
  const managementUrl = `http://${at(management)}`;
  return {
    nameServer: at(dns),
    httpPort,
    httpsPort,
    tlsPort,
    managementUrl,
    async tell(what, body) {
      const answer = await fetch(`${managementUrl}/${what}`, { method: 'POST', body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`The challenge server refuses ${what}: ${answer.status}`);
    },
    stop: () => started.stop(),
  };
}
