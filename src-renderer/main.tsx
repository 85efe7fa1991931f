import { createRoot } from 'react-dom/client';
import { createClient } from './client/client.ts';
import { App } from './frame/app.tsx';
import { firstView } from './frame/view.ts';
import { connect } from './transport/connect.ts';
import { VIEWS } from './views.ts';
import './ui/base.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// Connection, view and frame come at the same time, not one after the other.
const transport = connect();
void firstView(VIEWS)?.load();
createRoot(root).render(<App client={createClient(transport)} transport={transport} views={VIEWS} />);
