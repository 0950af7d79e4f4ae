import { Explanation } from '@coffer/domain';
import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import type { Operation } from './kernel/index.ts';

type Status = keyof typeof RESPONSES;

const RESPONSES = {
  400: ['BadRequest', 'The request is malformed, or violates a rule'],
  401: ['Unauthorized', 'The token is missing, unknown, expired, revoked or used up'],
  403: [
    'Forbidden',
    'The caller is authenticated but not permitted; `details` lists the matching rules, `explanation` how they were evaluated',
  ],
  404: ['NotFound', 'The resource does not exist, or the caller may not know of it'],
  408: ['RequestTimeout', 'The request took too long to arrive'],
  409: ['Conflict', 'Others have changed what the call is based on; `details` names it'],
  413: ['PayloadTooLarge', 'The body is too large'],
  415: ['UnsupportedMediaType', 'The content type of the body is not supported'],
  421: ['MisdirectedRequest', 'The server does not serve the requested host'],
  422: ['ValidationFailure', 'The input fails validation; `message` lists every fault'],
  429: ['RateLimitExceeded', 'Too many requests; `Retry-After` gives the seconds to wait'],
  431: ['HeadersTooLarge', 'The headers are too large'],
  500: ['InternalServerError', 'Internal server error; the server log has the details under `reqId`'],
  503: ['ServiceUnavailable', 'The server is unavailable; try again'],
} as const;

/** The statuses of an operation's errors, in the order in which they are documented. */
function errorsOf({ method, url, meta: { needs = 'public', rest } }: Operation): Status[] {
  const asksForCredential =
    needs !== 'public' || rest?.strictlyLimited || rest?.limitsRefusals || rest?.takesCredential;
  return [
    400,
    ...(asksForCredential ? ([401, 403] as const) : []),
    404,
    408,
    ...(rest?.comparesVersions ? ([409] as const) : []),
    ...(method === 'GET' ? [] : ([413, 415] as const)),
    // Probes ask for the status by address.
    ...(url === '/api/status' ? [] : ([421] as const)),
    422,
    429,
    431,
    500,
    503,
  ];
}

/** Every status of an operation: success, not modified, and errors. */
export const statusesOf = (operation: Operation): number[] => [
  200,
  ...(hasEtag(operation) ? [304] : []),
  ...errorsOf(operation),
];

/** Whether an operation can return 304. */
export const hasEtag = ({ method, meta: { rest } }: Operation): boolean =>
  rest?.etag !== undefined || (method === 'GET' && rest?.answers !== undefined);

/** The errors that an operation can answer. */
export const responsesOf = (operation: Operation): Record<string, oas31.ReferenceObject> =>
  Object.fromEntries(
    errorsOf(operation).map((status) => [status, { $ref: `#/components/responses/${RESPONSES[status][0]}` }]),
  );

const base = {
  reqId: {
    type: 'string',
    description: 'The request ID, as in the server log and the audit log',
    examples: ['req-Jq0u5OZxLpC3aD'],
  },
  statusCode: { type: 'integer' },
  error: { type: 'string', description: 'The kind of error', examples: ['NotFound'] },
  details: { description: 'Machine-readable details' },
} satisfies Record<string, oas31.SchemaObject>;

const schemas: Record<string, oas31.SchemaObject> = {
  Error: {
    type: 'object',
    required: ['reqId', 'statusCode', 'message', 'error'],
    properties: { ...base, message: { type: 'string', description: 'A message for people' } },
  },
  PermissionError: {
    type: 'object',
    required: ['reqId', 'statusCode', 'message', 'error'],
    properties: {
      ...base,
      message: { type: 'string', description: 'A message for people' },
      explanation: z.toJSONSchema(Explanation, { io: 'output', unrepresentable: 'any' }) as oas31.SchemaObject,
    },
  },
  ValidationError: {
    type: 'object',
    required: ['reqId', 'statusCode', 'message', 'error'],
    properties: { ...base, message: { type: 'array', items: { $ref: '#/components/schemas/Issue' } } },
  },
  Issue: {
    type: 'object',
    required: ['code', 'path', 'message'],
    properties: {
      code: { type: 'string' },
      path: { type: 'array', items: { type: ['string', 'number'] } },
      message: { type: 'string' },
    },
  },
};

const SHAPES: Partial<Record<Status, keyof typeof schemas>> = { 403: 'PermissionError', 422: 'ValidationError' };

const response = (status: Status, description: string): oas31.ResponseObject => ({
  description,
  ...(status === 429 && { headers: { 'retry-after': { description: 'Seconds', schema: { type: 'integer' } } } }),
  content: {
    'application/json': { schema: { $ref: `#/components/schemas/${SHAPES[status] ?? 'Error'}` } },
  },
});

/** What the errors refer to. */
export const errors = {
  schemas,
  responses: Object.fromEntries(
    Object.entries(RESPONSES).map(([status, [name, description]]) => [
      name,
      response(Number(status) as Status, description),
    ]),
  ),
};
