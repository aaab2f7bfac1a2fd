// Between the properties of a PLY document and the arrays of a mesh. Internal to ply.cpp.
#pragma once

#include "sinew/asset/plain/ply_document.h"
#include "sinew/mesh.h"

namespace sinew {

// What the document's vertex, face and tristrips elements say. Throws Error(bad_input) when there are no positions or
// an index is out of range.
TriangleMesh mesh_of(const PlyDocument& document);

// Makes the document say what `mesh` says; properties whose values have not changed keep their bits, and so do all
// others. The vertex count must be the document's own, unless the document is empty.
void set_mesh(PlyDocument& document, const TriangleMesh& mesh);

}  // namespace sinew
