// What the mouse points at: bodies and force chains that a ray meets, the nearest of them.
import * as THREE from 'three';
import { BOX, FIRST_MESH } from './solids.js';

const inverse = new THREE.Quaternion(),
  local = new THREE.Ray(),
  box = new THREE.Box3(),
  at = new THREE.Vector3(),
  corners = [0, 1, 2].map(() => new THREE.Vector3());

function distanceToTriangles(ray, geometry) {
  const { index, attributes } = geometry;
  let nearest = Infinity;
  for (let k = 0; k < index.count; k += 3) {
    corners.forEach((corner, c) =>
      corner.fromBufferAttribute(attributes.position, index.getX(k + c)),
    );
    if (ray.intersectTriangle(...corners, true, at))
      nearest = Math.min(nearest, at.distanceTo(ray.origin));
  }
  return nearest;
}

/** Distance along the ray to a body that is not a sphere; Infinity if the ray misses it. */
function distanceToSolid(ray, data, solids, row, size) {
  inverse
    .fromArray(data.orientation, 4 * row)
    .normalize()
    .invert();
  local.copy(ray);
  local.origin.sub(at.fromArray(data.position, 3 * row)).applyQuaternion(inverse);
  local.direction.applyQuaternion(inverse);
  if (data.mesh[row] === BOX) {
    box.max.fromArray(data.extent, 3 * row).multiplyScalar(size);
    box.min.copy(box.max).negate();
    return local.intersectBox(box, at) ? at.distanceTo(local.origin) : Infinity;
  }
  const scale = data.radius[row] * size;
  local.origin.divideScalar(scale);
  return scale * distanceToTriangles(local, solids.triangles[data.mesh[row] - FIRST_MESH]);
}

/** Distance along the ray to a ball; Infinity if the ray misses it. */
function distanceToBall({ origin, direction }, position, radius, row) {
  const x = position[3 * row] - origin.x,
    y = position[3 * row + 1] - origin.y,
    z = position[3 * row + 2] - origin.z;
  const along = x * direction.x + y * direction.y + z * direction.z;
  const inside = radius * radius - (x * x + y * y + z * z - along * along);
  return inside < 0 || along < 0 ? Infinity : along - Math.sqrt(inside);
}

/** The nearest shown body: its row and distance, or null. */
export function bodyAt(ray, data, solids, size, accept) {
  let found = null;
  for (let row = 0; row < data.rows; ++row) {
    if (!accept(row)) continue;
    let distance = distanceToBall(ray, data.position, data.radius[row] * size, row);
    if (distance === Infinity || (found && distance > found.distance)) continue;
    if (data.mesh && data.mesh[row]) distance = distanceToSolid(ray, data, solids, row, size);
    if (distance < (found?.distance ?? Infinity)) found = { row, distance };
  }
  return found;
}

const from = new THREE.Vector3(),
  to = new THREE.Vector3(),
  onRay = new THREE.Vector3();

/** The nearest ribbon within its width, or within some pixels: its index and distance, or null. */
export function ribbonAt(ray, ribbons, tolerancePerLength) {
  let found = null;
  for (let k = 0; k < ribbons.ends.length / 6; ++k) {
    from.fromArray(ribbons.ends, 6 * k);
    to.fromArray(ribbons.ends, 6 * k + 3);
    const miss = Math.sqrt(ray.distanceSqToSegment(from, to, onRay)),
      distance = onRay.distanceTo(ray.origin);
    const reach = Math.max(ribbons.looks[4 * k + 3], tolerancePerLength * distance);
    if (miss < reach && distance < (found?.distance ?? Infinity)) found = { index: k, distance };
  }
  return found;
}
