import { mount } from 'svelte';
import App from './App.svelte';
import './theme.css';
import './base.css';
import { keepSettings, settings } from './settings.svelte';
import { language, preferred } from './text/language.svelte';

keepSettings();
await language.use(preferred(settings.locale, navigator.languages));
const page = document.getElementById('page');
if (page) mount(App, { target: page });
