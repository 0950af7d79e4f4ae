export { rabbitMq } from './rabbit-mq.ts';
