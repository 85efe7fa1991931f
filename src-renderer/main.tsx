import { createRoot } from 'react-dom/client';
import { parseDiagramAddress } from '#domain/tag/diagram';
import { createClient } from './client/client.ts';
import { reloadPage } from './frame/notices/after-restore.ts';
import { App } from './frame/app.tsx';
import { firstView, loadWhenIdle } from './frame/view.ts';
import { connect } from './transport/connect.ts';
import { deferred } from './ui/deferred.tsx';
import { refuseDrops } from './ui/file-drop.ts';
import { VIEWS } from './views.ts';
import './ui/base.css';

const DiagramWindow = deferred(async () => (await import('./features/diagrams/diagram-window.tsx')).DiagramWindow);

const element = document.getElementById('root');
if (!element) throw new Error('index.html has no #root');
refuseDrops(window);
// Connection, view and frame load in parallel.
const transport = connect(reloadPage);
const client = createClient(transport);
const diagram = parseDiagramAddress(location.pathname, location.search);
const root = createRoot(element);
if (diagram) {
  root.render(<DiagramWindow client={client} connection={transport.state} {...diagram} />);
} else {
  const first = firstView(VIEWS);
  first?.preload?.();
  void first?.component.load();
  root.render(<App client={client} transport={transport} views={VIEWS} />);
  void loadWhenIdle(VIEWS, () => transport.state.get().kind === 'connected');
}
