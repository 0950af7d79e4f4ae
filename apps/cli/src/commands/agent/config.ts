import { normalize } from 'node:path';
import {
  anything,
  duration,
  listOf,
  needed,
  object,
  oneOf,
  permission,
  readYaml,
  text,
  type Shape,
} from '../../daemon/config-shape.ts';
import type { Execute } from '../../daemon/execute.ts';
import { executeShape, machineShape, type MachineConfig } from '../../daemon/server-config.ts';
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

export interface AgentConfig extends MachineConfig {
  readonly sinks: readonly SinkConfig[];
  readonly templates: readonly TemplateConfig[];
}

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
    const fields = { sinks: listOf(sinkShape), templates: listOf(templateShape), cache: anything };
    const read = machineShape(env, fields)(node, at);
    for (const [index, { destination }] of read.templates.entries())
      if (read.templates.findIndex((other) => normalize(other.destination) === normalize(destination)) !== index)
        at.below(`templates[${index}]`).fault(`writes to ${destination}, as another template does`, node);
    return read;
  });
