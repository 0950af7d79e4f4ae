import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { StandIns } from '../../../identities/auth-method/testing/stand-ins.ts';
import { whoSigned, type SigningKeys } from '../../../apps/aws/testing/signature-v4.ts';

type Input = Record<string, unknown>;

interface Fault {
  readonly status?: number;
  readonly type: string;
  readonly message?: string;
}

class AwsError extends Error {
  readonly fault: Fault;

  constructor(type: string, message = 'No') {
    super(message);
    this.fault = { type, message };
  }
}

export interface StoredSecret {
  value: string;
  isDeleted: boolean;
  kmsKeyId?: unknown;
  tags?: unknown;
}

export interface StoredParameter {
  value: string;
  type: unknown;
  keyId?: unknown;
  tags?: unknown;
}

/**
 * An account at AWS in one region: Secrets Manager, Parameter Store and the token service, as far as syncs go. Every
 * request has to be signed as AWS has it.
 */
export class AwsAccount {
  readonly region = 'eu-central-1';
  readonly keys: SigningKeys = {
    accessKeyId: `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64'),
  };
  readonly secrets = new Map<string, StoredSecret>();
  readonly parameters = new Map<string, StoredParameter>();
  /** The roles that the keys may assume, with the external id that each demands. */
  readonly roles = new Map<string, string>();
  /** What was done, in order, as `action name`. */
  readonly calls: string[] = [];
  /** The keys of sessions that were given out. */
  readonly sessions: Required<SigningKeys>[] = [];
  /** What is wrong with a call, where something is. */
  fault: (action: string, input: Input) => Fault | undefined = () => undefined;
  now: () => number = Date.now;
  /** All answers wait for it. */
  gate: Promise<void> | undefined;
  /** Where the listeners have to be told to nobody but sessions of a role. */
  onlySessions = false;

  async serve(standIns: StandIns): Promise<void> {
    for (const service of ['secretsmanager', 'ssm', 'sts'])
      await standIns.serve(`${service}.${this.region}.amazonaws.com`, this.listener(service));
  }

  listener(service: string): RequestListener {
    return (request, response) => {
      this.#answer(service, request).then(
        ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    };
  }

  async #answer(service: string, request: IncomingMessage): Promise<{ status: number; type: string; body: string }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const signer = whoSigned(request, body, {
      service,
      region: this.region,
      now: this.now(),
      find: (id) => [this.keys, ...this.sessions].find(({ accessKeyId }) => accessKeyId === id),
    });
    const answer =
      service === 'sts' ? this.#sts(signer, new URLSearchParams(body)) : this.#json(service, request, signer, body);
    await this.gate;
    return answer;
  }

  #sts(signer: SigningKeys | undefined, form: URLSearchParams) {
    const type = 'text/xml';
    const role = form.get('RoleArn') ?? '';
    this.calls.push(`AssumeRole ${role}`);
    const refuse = (status: number, code: string, message: string) => ({
      status,
      type,
      body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
    });
    if (!signer) return refuse(403, 'SignatureDoesNotMatch', 'The signature does not match');
    if (form.get('Action') !== 'AssumeRole' || form.get('Version') !== '2011-06-15')
      return refuse(400, 'InvalidAction', 'No');
    if (this.roles.get(role) !== form.get('ExternalId')) return refuse(403, 'AccessDenied', `May not assume ${role}`);
    const session = {
      accessKeyId: `ASIA${randomBytes(8).toString('hex').toUpperCase()}`,
      secretAccessKey: randomBytes(30).toString('base64'),
      sessionToken: randomBytes(200).toString('base64'),
    };
    this.sessions.push(session);
    return {
      status: 200,
      type,
      body: `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
  <Credentials>
    <AccessKeyId>${session.accessKeyId}</AccessKeyId>
    <SecretAccessKey>${session.secretAccessKey}</SecretAccessKey>
    <SessionToken>${session.sessionToken}</SessionToken>
    <Expiration>2030-01-01T00:00:00Z</Expiration>
  </Credentials>
</AssumeRoleResult></AssumeRoleResponse>`,
    };
  }

  #json(service: string, request: IncomingMessage, signer: SigningKeys | undefined, body: string) {
    const type = 'application/x-amz-json-1.1';
    const refuse = ({ status = 400, type: name, message }: Fault) => ({
      status,
      type,
      body: JSON.stringify({ __type: name, message }),
    });
    if (request.method !== 'POST' || request.url !== '/' || request.headers['content-type'] !== type)
      return refuse({ type: 'UnknownOperationException' });
    if (!signer || (this.onlySessions && !signer.sessionToken))
      return refuse({ type: 'InvalidSignatureException', message: 'The signature does not match' });
    const [prefix, action = ''] = String(request.headers['x-amz-target']).split('.');
    const input = JSON.parse(body) as Input;
    this.calls.push([action, input['Name'] ?? input['SecretId'] ?? input['Path']].filter(Boolean).join(' '));
    const fault = this.fault(action, input);
    if (fault) return refuse(fault);
    const actions: Record<string, (input: Input) => object> =
      service === 'ssm' && prefix === 'AmazonSSM'
        ? this.#parameterActions
        : service === 'secretsmanager' && prefix === 'secretsmanager'
          ? this.#secretActions
          : {};
    try {
      const answer = actions[action]?.(input);
      return answer
        ? { status: 200, type, body: JSON.stringify(answer) }
        : refuse({ type: 'UnknownOperationException' });
    } catch (error) {
      if (error instanceof AwsError) return refuse(error.fault);
      throw error;
    }
  }

  #existing(id: unknown): StoredSecret {
    const secret = this.secrets.get(String(id));
    if (!secret) throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    if (secret.isDeleted)
      throw new AwsError('InvalidRequestException', 'You cannot do this to a secret that was marked for deletion.');
    return secret;
  }

  readonly #secretActions: Record<string, (input: Input) => object> = {
    GetSecretValue: ({ SecretId }) => ({ Name: SecretId, SecretString: this.#existing(SecretId).value }),
    BatchGetSecretValue: ({ SecretIdList }) => {
      const ids = SecretIdList as string[];
      if (ids.length < 1 || ids.length > 20) throw new AwsError('InvalidParameterException', 'One to twenty');
      const SecretValues: object[] = [];
      const Errors: object[] = [];
      for (const id of ids) {
        try {
          SecretValues.push({ Name: id, SecretString: this.#existing(id).value });
        } catch (error) {
          Errors.push({ SecretId: id, ErrorCode: (error as AwsError).fault.type, Message: (error as Error).message });
        }
      }
      return { SecretValues, Errors };
    },
    CreateSecret: ({ Name, SecretString, ClientRequestToken, KmsKeyId, Tags }) => {
      requireToken(ClientRequestToken);
      const known = this.secrets.get(String(Name));
      if (known?.isDeleted)
        throw new AwsError('InvalidRequestException', 'A secret with this name is already scheduled for deletion.');
      if (known) throw new AwsError('ResourceExistsException', 'The secret already exists.');
      if (String(SecretString) === '') throw new AwsError('InvalidParameterException', 'Too short');
      this.secrets.set(String(Name), {
        value: String(SecretString),
        isDeleted: false,
        ...(KmsKeyId !== undefined && { kmsKeyId: KmsKeyId }),
        ...(Tags !== undefined && { tags: Tags }),
      });
      return { Name };
    },
    PutSecretValue: ({ SecretId, SecretString, ClientRequestToken }) => {
      requireToken(ClientRequestToken);
      this.#existing(SecretId).value = String(SecretString);
      return { Name: SecretId };
    },
    DeleteSecret: ({ SecretId, RecoveryWindowInDays }) => {
      if (Number(RecoveryWindowInDays) < 7) throw new AwsError('InvalidParameterException', 'Seven days at least');
      this.#existing(SecretId).isDeleted = true;
      return { Name: SecretId };
    },
    RestoreSecret: ({ SecretId }) => {
      const secret = this.secrets.get(String(SecretId));
      if (!secret) throw new AwsError('ResourceNotFoundException');
      secret.isDeleted = false;
      return { Name: SecretId };
    },
  };

  readonly #parameterActions: Record<string, (input: Input) => object> = {
    GetParametersByPath: ({ Path, WithDecryption, MaxResults, NextToken, Recursive }) => {
      if (WithDecryption !== true || Recursive === true || Number(MaxResults) > 10)
        throw new AwsError('ValidationException', 'Not like this');
      const folder = Path === '/' ? '/' : `${String(Path)}/`;
      const all = [...this.parameters]
        .filter(([name]) => name.startsWith(folder) && !name.slice(folder.length).includes('/'))
        .map(([Name, { value, type }]) => ({ Name, Value: value, Type: type }));
      const from = Number(NextToken ?? 0);
      const to = from + Number(MaxResults);
      return { Parameters: all.slice(from, to), ...(to < all.length && { NextToken: String(to) }) };
    },
    PutParameter: ({ Name, Value, Type, KeyId, Tags, Overwrite }) => {
      const name = String(Name);
      if (this.parameters.has(name) && Overwrite !== true) throw new AwsError('ParameterAlreadyExists');
      if (Tags !== undefined && Overwrite === true)
        throw new AwsError('ValidationException', "tags and overwrite can't be used together");
      if (String(Value) === '') throw new AwsError('ValidationException', 'Too short');
      this.parameters.set(name, {
        value: String(Value),
        type: Type,
        ...(KeyId !== undefined && { keyId: KeyId }),
        ...(Tags !== undefined && { tags: Tags }),
      });
      return { Version: 1 };
    },
    DeleteParameter: ({ Name }) => {
      if (!this.parameters.delete(String(Name))) throw new AwsError('ParameterNotFound');
      return {};
    },
  };
}

function requireToken(token: unknown): void {
  if (typeof token !== 'string' || token.length < 32) throw new AwsError('InvalidParameterException', 'Name a token');
}
