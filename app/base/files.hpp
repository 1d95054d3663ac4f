#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// The whole content, byte for byte; devices and pipes are read up to 1 GiB, or until an `Interrupt` ends it. Throws
/// Error that names the file and why it cannot be read.
std::string read_text_file(std::filesystem::path const& file);

/// Replaces the content of the file atomically: writes a temporary file beside it and renames that. Devices and pipes
/// are written directly. Throws Error that names the file and why it cannot be written.
void write_text_file(std::filesystem::path const& file, std::string_view content);

/// Removes the file if possible; ignores errors.
void remove_quietly(std::filesystem::path const& file);

/// Whether a file, which need not exist, is in a folder or below it once all symbolic links are resolved. An empty
/// folder means the working folder.
bool is_in(std::filesystem::path const& file, std::filesystem::path const& folder);
/// Whether the path exists and is neither a regular file nor a folder.
bool is_device_or_pipe(std::filesystem::path const& file);

/// The extension of the name, in lower case: ".txt".
std::string extension_of(std::filesystem::path const& file);

/// Throws Error if the file cannot be written, so that a long run fails at its start instead of its end.
void check_writable(std::filesystem::path const& file);
/// `check_writable` for a folder of outputs, which is created.
void check_writable_folder(std::filesystem::path const& folder);

/// --- one run never reads and writes the same file

/// Records an input; call it before reading a data file. Throws Error if the file is a claimed output.
void note_input(std::filesystem::path const& file);
/// Calls `note_input`, then `read_text_file`.
std::string read_input_file(std::filesystem::path const& file);
/// Throws Error if the file was read as an input.
void refuse_input(std::filesystem::path const& file);
/// Claims an output that the command line names: checks it with `check_writable` and `refuse_input`; from then on, it
/// cannot be an input.
void claim_output(std::filesystem::path const& file);
/// Calls `claim_output` for each path that is not empty. Throws Error if two are the same file, as one would overwrite
/// the other.
void claim_outputs(std::vector<std::filesystem::path> const& files);

/// The name by which a document in `folder` refers to a file: a relative path if the file is in or below the folder,
/// otherwise the whole path. An empty folder means none. Both the argument and the result are texts: `path_of_text`
/// makes paths of them.
std::string relative_name(std::string const& file, std::filesystem::path const& folder);

}  // namespace slotscape
