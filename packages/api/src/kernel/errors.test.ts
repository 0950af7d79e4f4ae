import { conflict, DomainError, markDatabaseConnectionError, notFound, unavailable } from '@coffer/domain';
import { TRPCError } from '@trpc/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorShape, publicError } from './errors.ts';

const fromDatabase = (code: string, more: object = {}) => Object.assign(new Error('canary'), { code, ...more });
const statusOf = (error: unknown) => publicError(error, 'req-1').body.statusCode;

describe('publicError', () => {
  it('returns expected errors with their details', () => {
    expect(publicError(notFound('tag', { slug: 'a' }), 'req-1')).toMatchObject({
      body: {
        reqId: 'req-1',
        statusCode: 404,
        message: 'There is no such tag',
        error: 'NotFound',
        details: { slug: 'a' },
      },
      code: 'tag.not_found',
      isBug: false,
    });
    expect(
      publicError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: conflict('a.b', 'c') }), 'req-1').body,
    ).toEqual({ reqId: 'req-1', statusCode: 400, message: 'c', error: 'BadRequest' });
  });

  it('discloses nothing of other exceptions', () => {
    const { body, isBug } = publicError(new Error('canary'), 'req-1');
    expect(isBug).toBe(true);
    expect(body).toMatchObject({ statusCode: 500, error: 'InternalServerError' });
    expect(JSON.stringify(body)).not.toContain('canary');
  });

  it('treats invalid input as an error of the caller, and an invalid response as an internal error', () => {
    const { error: cause } = z.object({ a: z.string() }).safeParse({});
    expect(publicError(new TRPCError({ code: 'BAD_REQUEST', cause }), 'req-1').body).toMatchObject({
      statusCode: 422,
      message: [{ path: ['a'], code: 'invalid_type' }],
    });
    expect(statusOf(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause }))).toBe(500);
    expect(statusOf(cause)).toBe(500);
  });

  it.each([
    ['57P01', 503],
    ['57P03', 503],
    ['08006', 503],
    ['53300', 503],
    ['57014', 503],
    ['08P01', 400],
    ['22021', 400],
    ['22003', 400],
    ['23505', 400],
    ['23503', 404],
    ['42P01', 500],
    ['XX000', 500],
  ])('answers a database error %s with %i, and keeps its text for the log', (code, status) => {
    const error = new Error('wrapped', { cause: fromDatabase(code, { constraint: 'a_b' }) });
    const { body, retryAfter, underlying, isBug } = publicError(error, 'req-1');
    expect(body.statusCode).toBe(status);
    expect(JSON.stringify(body)).not.toContain('canary');
    expect(retryAfter !== undefined).toBe(status === 503);
    expect(isBug || underlying !== undefined).toBe(true);
  });

  it.each([
    'Connection terminated due to connection timeout',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
  ])("recognizes a lost connection by the driver's error: %s", (message) => {
    expect(statusOf(new Error(message))).toBe(503);
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ERR_STREAM_DESTROYED', 'CERT_HAS_EXPIRED'])(
    'takes %s for a lost connection only where a connection to the database reports it',
    (code) => {
      const error = Object.assign(new Error('aborted'), { code });
      expect([statusOf(error), publicError(error, 'req-1').isBug]).toEqual([500, true]);
      markDatabaseConnectionError(error);
      expect(publicError(new Error('wrapped', { cause: error }), 'req-1')).toMatchObject({ code: 'database.away' });
    },
  );

  it('does not blame the database where all connections of this process are in use', () => {
    const { body, code, retryAfter } = publicError(new Error('timeout exceeded when trying to connect'), 'req-1');
    expect([body.statusCode, code, retryAfter]).toEqual([503, 'server.busy', 1]);
  });

  it('logs the cause of an outage', () => {
    const cause = new Error('disk full');
    expect(publicError(unavailable('audit.unwritable', 'Not now', cause), 'req-1').underlying).toMatchObject({ cause });
  });

  it('terminates on cyclic causes', () => {
    const error = new Error('a');
    error.cause = error;
    expect(statusOf(error)).toBe(500);
  });
});

describe('errorShape', () => {
  it('returns the same to tRPC clients, without the stack', () => {
    const cause = new DomainError('forbidden', 'a.b', 'No', { details: [1] });
    const error = new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause });
    const shape = errorShape({ message: 'x', data: { stack: 'canary' } }, error, { request: { id: 'req-1' } });
    expect(shape).toEqual({
      message: 'No',
      code: -32_003,
      data: {
        code: 'FORBIDDEN',
        httpStatus: 403,
        error: 'ForbiddenError',
        reason: 'a.b',
        reqId: 'req-1',
        details: [1],
        issues: undefined,
      },
    });
  });
});
