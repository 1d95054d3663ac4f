#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// The whole content, byte for byte; of devices and pipes up to a gibibyte, until an `Interrupt` ends it. Throws Error
/// that names the file and why it cannot be read.
std::string read_text_file(std::filesystem::path const& file);

/// Replaces the content of the file, all of it or nothing: writes a temporary file beside it and renames that. Devices
/// and pipes are written directly. Throws Error that names the file and why it cannot be written.
void write_text_file(std::filesystem::path const& file, std::string_view content);

/// Removes it, if there is one and that can be done.
void remove_quietly(std::filesystem::path const& file);

/// Whether a file, which need not exist, is in a folder or below it once all symbolic links are followed. An empty
/// folder is the present one.
bool is_in(std::filesystem::path const& file, std::filesystem::path const& folder);
/// Whether it exists, and is neither a file nor a folder.
bool is_device_or_pipe(std::filesystem::path const& file);

/// ".txt": of the name, in small letters.
std::string extension_of(std::filesystem::path const& file);

/// Throws Error now rather than at the end of a long run.
void check_writable(std::filesystem::path const& file);
/// The same for a folder of outputs, which it makes.
void check_writable_folder(std::filesystem::path const& folder);

/// --- no file is both read and written by one run

/// Before a file of data is read. Throws Error if it is a claimed output.
void note_input(std::filesystem::path const& file);
/// `note_input` and `read_text_file`.
std::string read_input_file(std::filesystem::path const& file);
/// Throws Error if the file was read as an input.
void refuse_input(std::filesystem::path const& file);
/// Of an output that the command line names: `check_writable` and `refuse_input`, and it cannot be an input from now
/// on.
void claim_output(std::filesystem::path const& file);
/// `claim_output` of each that is not empty. Throws Error if two are the same file, which the second would replace.
void claim_outputs(std::vector<std::filesystem::path> const& files);

/// How a document in `folder` refers to a file: relatively if the file is in or below the folder, otherwise by its
/// whole path. An empty folder means none. The file, and what is returned, are texts: `path_of_text` makes paths of
/// them.
std::string relative_name(std::string const& file, std::filesystem::path const& folder);

}  // namespace slotscape
