#include "run/run_tables.hpp"

#include "scree/core/csv.hpp"
#include "scree/io/statistics.hpp"
#include "scree/run/analysis_tables.hpp"

namespace scree {

TableHeader cell_table() {
  return {"cell.csv",
          "time,step,edge_xx,edge_yy,edge_zz,edge_xy,edge_xz,edge_yz,rate_xx,rate_yy,rate_zz,"
          "rate_xy,rate_xz,rate_yz,contact_xx,contact_xy,contact_xz,contact_yx,contact_yy,"
          "contact_yz,contact_zx,contact_zy,contact_zz,kinetic_xx,kinetic_xy,kinetic_xz,kinetic_yx,"
          "kinetic_yy,kinetic_yz,kinetic_zx,kinetic_zy,kinetic_zz,smooth_xx,smooth_xy,smooth_xz,"
          "smooth_yx,smooth_yy,smooth_yz,smooth_zx,smooth_zy,smooth_zz,work"};
}

TableHeader joint_table() {
  return {"joints.csv",
          "time,step,joint,coordinate_1,coordinate_2,coordinate_3,effort_1,effort_2,effort_3,"
          "force_x,force_y,force_z,torque_x,torque_y,torque_z,error"};
}

TableHeader body_table() {
  return {"bodies.csv", "time,step,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz"};
}

TableHeader obstacle_table() {
  return {"obstacles.csv",
          "time,step,obstacle,force_x,force_y,force_z,torque_x,torque_y,torque_z,power,work,"
          "impact_wear,sliding_wear"};
}

TableHeader sensor_table(std::span<const Sensor> sensors) {
  std::string columns = "time,step";
  for (const Sensor& sensor : sensors)
    for (const std::string& column : columns_of(sensor.kind))
      columns += "," + csv_cell(sensor.name + "." + column);
  return {"sensors.csv", columns};
}

std::vector<TableHeader> tables_of(const Scene& scene) {
  std::vector<TableHeader> tables{{"statistics.csv", statistics_columns()}};
  const bool is_strained = scene.model.strain.any();
  if (is_strained) tables.push_back(cell_table());
  if (!scene.model.joints.empty()) tables.push_back(joint_table());
  if (!scene.named_bodies.empty()) tables.push_back(body_table());
  if (!scene.sensors.empty()) tables.push_back(sensor_table(scene.sensors));
  if (scene.output.obstacles && !scene.model.obstacles.empty()) tables.push_back(obstacle_table());
  for (const AnalysisRequest& request : scene.output.analyses)
    for (const TableHeader& table : analysis_tables())
      tables.push_back({"analysis/" + request.name + "/" + table.file, table.columns});
  return tables;
}

}  // namespace scree
