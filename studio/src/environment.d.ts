// The core's WebAssembly, gzip in base64 (vite.config.mjs).
declare module 'virtual:core' {
    const text: string;
    export default text;
}
