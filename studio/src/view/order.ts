// In which order things are drawn. What is inside a half transparent mesh comes before it; depth alone before colour,
// so that of a transparent surface only its front is seen.
export const ORDER = {
    background: -100,
    ground: -50,
    edges: 10,
    ellipsoidDepths: 20,
    ellipsoids: 21,
    meshDepths: 30,
    mesh: 31,
    wireframe: 40,
    contacts: 50,
    vertices: 51,
    mirror: 60,
    preview: 70,
    tools: 80,
};
