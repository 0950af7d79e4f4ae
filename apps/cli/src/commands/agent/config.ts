import {
  anything,
  count,
  duration,
  flag,
  listOf,
  needed,
  object,
  oneOf,
  permission,
  readYaml,
  text,
  type Shape,
} from '../../daemon/config-shape.ts';
import { authShape, type Auth } from '../../daemon/auth.ts';
import type { RetryStrategy } from '../../daemon/backoff.ts';
import type { Execute } from '../../daemon/execute.ts';
import type { Environment } from '../../parse.ts';

export interface TemplateConfig {
  /** The file of the template, or its text. */
  readonly source: { readonly path: string } | { readonly text: string };
  readonly destination: string;
  /** Milliseconds. */
  readonly pollingInterval: number;
  readonly execute: Execute | undefined;
  /** Of the destination; by default it keeps what it has, and a new one gets 0600. */
  readonly permission: number | undefined;
  /** Names or IDs. */
  readonly user: string | undefined;
  readonly group: string | undefined;
}

export interface SinkConfig {
  readonly path: string;
  readonly permission: number | undefined;
}

/** What an agent of either kind has. */
export interface ServerConfig {
  readonly address: string | undefined;
  readonly exitAfterAuth: boolean;
  /** Whether leases, and if it is said the token, are revoked at an orderly end. */
  readonly revokes: boolean | undefined;
  readonly retry: RetryStrategy;
}

export interface AgentConfig {
  readonly server: ServerConfig;
  readonly auth: Auth;
  readonly sinks: readonly SinkConfig[];
  readonly templates: readonly TemplateConfig[];
  readonly stateDirectory: string | undefined;
  readonly healthPort: number | undefined;
}

const retryShape: Shape<RetryStrategy> = (node, at) => {
  const read = object({
    'max-retries': count(3),
    'max-delay': duration(5000, 1),
    'base-delay': duration(200, 1),
  })(node, at);
  return { maxRetries: read['max-retries'], maxDelay: read['max-delay'], baseDelay: read['base-delay'] };
};

const serverShape: Shape<ServerConfig> = (node, at) => {
  const read = object({
    address: text,
    'exit-after-auth': flag(false),
    'revoke-credentials-on-shutdown': flag(undefined),
    'retry-strategy': retryShape,
  })(node, at);
  return {
    address: read.address,
    exitAfterAuth: read['exit-after-auth'],
    revokes: read['revoke-credentials-on-shutdown'],
    retry: read['retry-strategy'],
  };
};

/** A command with its timeout, which is in seconds where it has no unit. */
const executeShape: Shape<Execute | undefined> = (node, at) => {
  if (node === undefined) return undefined;
  const { command, timeout } = object({ command: needed, timeout: duration(30_000, 1) })(node, at);
  return { command, timeout };
};

const sinkShape: Shape<SinkConfig> = (node, at) =>
  object({ type: oneOf(['file']), config: object<SinkConfig>({ path: needed, permission }) })(node, at).config;

const templateShape: Shape<TemplateConfig> = (node, at) => {
  const read = object({
    'source-path': text,
    'template-content': text,
    'base64-template-content': text,
    'destination-path': needed,
    config: object({
      'polling-interval': duration(300_000, 1000),
      execute: executeShape,
      permission,
      user: text,
      group: text,
    }),
  })(node, at);
  const { 'source-path': path, 'template-content': content, 'base64-template-content': coded } = read;
  const sources = [
    ...(path === undefined ? [] : [{ path }]),
    ...(content === undefined ? [] : [{ text: content }]),
    ...(coded === undefined ? [] : [{ text: Buffer.from(coded, 'base64').toString() }]),
  ];
  if (sources.length !== 1)
    at.fault('has to have exactly one of source-path, template-content and base64-template-content', node);
  const { config } = read;
  return {
    source: sources[0] ?? { text: '' },
    destination: read['destination-path'],
    pollingInterval: config['polling-interval'],
    ...config,
  };
};

/**
 * Reads the configuration of the agent, which is the published one.
 *
 * @throws CommandError with all faults and their lines.
 */
export const readAgentConfig = (name: string, source: string, env: Environment): AgentConfig =>
  readYaml(name, source, (node, at) => {
    const read = object({
      version: anything,
      coffer: (part, place) => (part === undefined ? undefined : serverShape(part, place)),
      infisical: serverShape,
      auth: authShape(env),
      sinks: listOf(sinkShape),
      templates: listOf(templateShape),
      cache: anything,
      'state-directory': text,
      'health-port': count(undefined),
    })(node, at);
    for (const [index, { destination }] of read.templates.entries())
      if (read.templates.findIndex((other) => other.destination === destination) !== index)
        at.below(`templates[${index}]`).fault(`writes to ${destination}, as another template does`, node);
    return {
      ...read,
      server: read.coffer ?? read.infisical,
      stateDirectory: read['state-directory'],
      healthPort: read['health-port'],
    };
  });
