import guest from 'virtual:guest-source';

if (guest === '') process.exit(1);
