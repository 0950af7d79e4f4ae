import { Readable } from 'node:stream';
import { requireCaller } from '@coffer/api';
import { exportAuditLog, ExportAuditLog, noteRefusedRequest, type Log } from '@coffer/domain';
import { TRPCError } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reportError } from './http/faults.ts';

const PATH = '/api/v1/organization/audit-logs/export';

/**
 * `GET /api/v1/organization/audit-logs/export?startDate=&endDate=`: the log as JSON lines, for the offline verifier.
 * Not a procedure, because its response is a stream as long as the log.
 */
export function registerAuditExport(app: FastifyInstance, log: Log): void {
  app.get(PATH, async (req, reply) => {
    const { call } = req;
    await requireCaller(call);
    const input = ExportAuditLog.safeParse(req.query);
    if (!input.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: input.error });
    const chunks = await exportAuditLog(call, call.coffer.database.of(call.caller), input.data, () =>
      call.requireStillCalling(),
    );
    return reply
      .header('content-type', 'application/x-ndjson; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit-log.jsonl"')
      .send(Readable.from(reported(chunks, log, req, reply), { objectMode: false }));
  });
}

/**
 * An error in the middle cannot be answered any more: Fastify destroys the response, so that the client finds it
 * truncated. The error is logged here.
 */
async function* reported(
  chunks: AsyncIterable<string>,
  log: Log,
  req: FastifyRequest,
  reply: FastifyReply,
): AsyncGenerator<string> {
  try {
    yield* chunks;
  } catch (error) {
    if (reply.raw.headersSent) {
      await noteRefusedRequest(req.call, error, `GET ${PATH}`);
      reportError(log, error, req.id);
    }
    throw error;
  }
}
