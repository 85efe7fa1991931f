import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectInstance } from '../../../src-main/host/instance-client.ts';
import { startHeadless } from '../../support/product/product.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

test('serve --metrics-port has the state of the site', async () => {
  const workspace = temporaryFolder();
  const args = ['serve', '--json', '--workspace', workspace, '--port', '0', '--no-ui', '--metrics-port', '0'];
  const command = startHeadless(args);
  onTestFinished(() => command.kill('SIGTERM'));
  const { metrics, eventsApi }: { metrics: string; eventsApi: string } = JSON.parse(await command.firstLine());
  expect(metrics).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  await (await fetch(`${eventsApi}/api/events`)).text();
  const text = async () => (await fetch(metrics)).text();
  const lists = 'tagwright_http_requests_total{method="GET",route="list",status="200"}';
  await expect.poll(text).toContain(`${lists} 1`);
  expect(await text()).toContain('tagwright_ready 1');
  expect(await text()).toMatch(/tagwright_events\{state="active"\} \d/);
  expect(await text()).toMatch(/tagwright_script_hosts\{state="idle"\} \d/);
  expect(await text()).not.toContain('tagwright_hub_connected');
  expect((await fetch(metrics.replace('/metrics', '/readyz'))).status).toBe(200);

  const connection = await connectInstance(JSON.parse(readFileSync(join(workspace, 'instance.json'), 'utf8')));
  await connection.client.settings.update({ 'hub.site': 'leeds', 'hub.url': 'postgres://a:b@127.0.0.1:1/x' });
  await expect.poll(text).toContain('tagwright_hub_connected 0');
  connection.close();
});
