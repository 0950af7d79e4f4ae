import { describe } from 'vitest';
import { describeMalformedAnswers, repeated, THE_CREDENTIAL } from '../../testing/malformed-answers.ts';
import { redis } from './redis.ts';

const inputs = (port: number) => ({
  host: '127.0.0.1',
  port,
  username: 'coffer',
  password: THE_CREDENTIAL,
  creationStatement: 'ACL SETUSER {{username}} on >{{password}}',
  revocationStatement: 'ACL DELUSER {{username}}',
});

describe('a misbehaving Redis', () => {
  describeMalformedAnswers({
    provider: redis,
    inputs,
    dialogs: [
      ['', '+OK\r\n'],
      ['', '+OK\r\n+coffer\r\n'],
      ['', '+OK\r\n+coffer\r\n', '+OK\r\n+QUEUED\r\n*1\r\n'],
      ['', '+OK\r\n+coffer\r\n', '+OK\r\n+QUEUED\r\n*1\r\n+coffer\r\n'],
      ['', '+OK\r\n+coffer\r\n', '+OK\r\n+QUEUED\r\n*1\r\n+coffer\r\n', '*2\r\n$5\r\nflags\r\n'],
      ['', '+OK\r\n$-1'],
      ['', '-ERR '],
      ['', '*100000\r\n'],
      ['', '$100000\r\n'],
    ],
    dense: [
      ['', Buffer.concat([Buffer.from('+OK\r\n*1000000\r\n'), repeated(':1\r\n', 1_000_000)])],
      ['', Buffer.concat([Buffer.from('+OK\r\n*1000000\r\n'), repeated('+\r\n', 1_000_000)])],
      ['', Buffer.concat([Buffer.from('+OK\r\n*1000000\r\n'), repeated('*0\r\n', 1_000_000)])],
      ['', Buffer.concat([Buffer.from('+OK\r\n*1000000\r\n'), repeated('$0\r\n\r\n', 600_000)])],
    ],
  });
});
