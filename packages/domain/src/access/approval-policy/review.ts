import { z } from 'zod';
import { Instant, text, Uuid } from '../../kernel/schema.ts';

export const ReviewStatus = z.enum(['approved', 'rejected']);
export type ReviewStatus = z.output<typeof ReviewStatus>;

export const ReviewComment = text(1000).trim().nullish();

/** The latest review of one reviewer. */
export const Review = z.object({
  id: Uuid,
  status: ReviewStatus,
  requestId: Uuid,
  createdAt: Instant,
  updatedAt: Instant,
  reviewerUserId: Uuid,
  comment: z.string().nullable(),
});
export type Review = z.output<typeof Review>;
