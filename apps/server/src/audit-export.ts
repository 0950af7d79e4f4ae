import { Readable } from 'node:stream';
import { requireCaller } from '@coffer/api';
import { exportAuditLog, ExportAuditLog } from '@coffer/domain';
import { TRPCError } from '@trpc/server';
import type { FastifyInstance } from 'fastify';

/** Characters; one line is a small piece to send by itself. */
const CHUNK = 64 * 1024;

/**
 * `GET /api/v1/organization/audit-logs/export?startDate=&endDate=`: the log as JSON lines, for the offline verifier. It is
 * no procedure, since its answer is not one JSON object but a stream as long as the log.
 */
export function registerAuditExport(app: FastifyInstance): void {
  app.get('/api/v1/organization/audit-logs/export', { exposeHeadRoute: false }, async (req, reply) => {
    const { call } = req;
    await requireCaller(call);
    const input = ExportAuditLog.safeParse(req.query);
    if (!input.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: input.error });
    const lines = await exportAuditLog(call, call.coffer.database.pool, input.data);
    return reply
      .header('content-type', 'application/x-ndjson; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit-log.jsonl"')
      .send(Readable.from(chunksOf(lines), { objectMode: false }));
  });
}

async function* chunksOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
