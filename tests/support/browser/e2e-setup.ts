import { beforeEach } from 'vitest';
import { follow } from './evidence.ts';

beforeEach(({ task }) => follow(task));
