// Files of a field of numbers, written by all ranks together: HDF5 over MPI-IO, and MPI-IO alone.
//
//   mpirun -np 2 peer_mpi_output --n 2048 --file u.h5
//
// As programs do by hand: a block of rows and columns for each rank, a hyperslab of the file, one collective call.

#include "peers/mpi/program.hpp"

#include <array>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

namespace {

struct part {
  std::array<int, 2> all, size, start; // along y, and along x
};

void write_hdf5(const std::string& file, const part& p, const std::vector<double>& u) {
  const auto wide = [](const std::array<int, 2>& x) {
    return std::array<hsize_t, 2>{hsize_t(x[0]), hsize_t(x[1])};
  };
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  const hid_t f = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t in_file = H5Screate_simple(2, wide(p.all).data(), nullptr);
  const hid_t in_memory = H5Screate_simple(2, wide(p.size).data(), nullptr);
  const hid_t set =
    H5Dcreate2(f, "u", H5T_NATIVE_DOUBLE, in_file, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Sselect_hyperslab(
    in_file, H5S_SELECT_SET, wide(p.start).data(), nullptr, wide(p.size).data(), nullptr);
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  if(H5Dwrite(set, H5T_NATIVE_DOUBLE, in_memory, in_file, transfer, u.data()) < 0)
    throw std::runtime_error("HDF5 can't write");
  H5Pclose(transfer);
  H5Dclose(set);
  H5Sclose(in_memory);
  H5Sclose(in_file);
  H5Fclose(f);
  H5Pclose(access);
}

void write_mpi(const std::string& file, const part& p, const std::vector<double>& u) {
  MPI_File f = MPI_FILE_NULL;
  if(MPI_File_open(MPI_COMM_WORLD, file.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
       &f) != MPI_SUCCESS)
    throw std::runtime_error("MPI can't open the file");
  MPI_File_set_size(f, 0);
  MPI_Datatype block = MPI_DATATYPE_NULL;
  MPI_Type_create_subarray(
    2, p.all.data(), p.size.data(), p.start.data(), MPI_ORDER_C, MPI_DOUBLE, &block);
  MPI_Type_commit(&block);
  MPI_File_set_view(f, 0, MPI_DOUBLE, block, "native", MPI_INFO_NULL);
  if(MPI_File_write_all(f, u.data(), int(u.size()), MPI_DOUBLE, MPI_STATUS_IGNORE) != MPI_SUCCESS)
    throw std::runtime_error("MPI can't write");
  MPI_File_close(&f);
  MPI_Type_free(&block);
}

/// Each rank what it has written.
void sync(const std::string& file) {
  const int f = open(file.c_str(), O_RDWR);
  if(f < 0 || fsync(f) != 0)
    throw std::runtime_error("the disk doesn't take it");
  close(f);
  MPI_Barrier(MPI_COMM_WORLD);
}

} // namespace

int main(int argc, char** argv) {
  return bench::mpi::run(argc, argv, MPI_THREAD_SINGLE, [&](const bench::mpi::world& w) {
    int n = 2048;
    int reps = 7;
    std::string file = "peer.h5";
    bench::arguments args;
    args.add("--n", n).range(4, 1 << 16);
    args.add("--reps", reps).positive();
    args.add("--file", file, "u.h5: HDF5, else bytes");
    bool is_synced = false;
    args.add_flag("--sync", is_synced, "until the disk has it, as Rondo's files");
    args.parse(argc, argv);

    std::array<int, 2> ranks{};
    MPI_Dims_create(w.size, 2, ranks.data());
    const std::array<int, 2> here{w.rank / ranks[1], w.rank % ranks[1]};
    part p{{n, n}, {}, {}};
    for(std::size_t a = 0; a != 2; ++a) {
      p.start[a] = n * here[a] / ranks[a];
      p.size[a] = n * (here[a] + 1) / ranks[a] - p.start[a];
    }
    std::vector<double> u;
    for(int j = 0; j != p.size[0]; ++j)
      for(int i = 0; i != p.size[1]; ++i)
        u.push_back((7 * (i + p.start[1]) + 13 * (j + p.start[0])) % 101);

    const bool is_hdf5 = file.ends_with(".h5");
    bench::mpi::stopwatch time;
    const auto write = [&] {
      is_hdf5 ? write_hdf5(file, p, u) : write_mpi(file, p, u);
      if(is_synced)
        sync(file);
    };
    write(); // to warm up
    for(int k = 0; k != reps; ++k)
      time.measure(write);
    bench::line line{{"program", is_hdf5 ? "HDF5" : "MPI-IO"}, {"ranks", w.size}, {"threads", 1}};
    time.report(line, "file", 1);
    line["bytes"] = 8L * n * n;
    bench::mpi::print(w, line);
    MPI_Barrier(MPI_COMM_WORLD);
    if(w.rank == 0)
      std::filesystem::remove(file);
  });
}
