// What app/page calls of the page: files that the user chooses, and the clipboard. app/page/page.js has the page's own part.
addToLibrary({
  // Asks for files with these extensions (".npy,.csv"; empty: any). The answer comes with slotscape_files_chosen.
  slotscape_choose_files__deps: ['$UTF8ToString'],
  slotscape_choose_files: (extensions, several) => Module.chooseFiles(UTF8ToString(extensions), Boolean(several)),
  // Their paths, each on a line, once they are there; "" if the user chose none; null while nothing is known. For `free`.
  slotscape_files_chosen__deps: ['$stringToNewUTF8'],
  slotscape_files_chosen: () => {
    const chosen = Module.chosenFiles;
    if (chosen === null) return 0;
    Module.chosenFiles = null;
    return stringToNewUTF8(chosen.join('\n'));
  },
  slotscape_forget_choice: () => Module.forgetChoice(),
  slotscape_copy__deps: ['$UTF8ToString'],
  slotscape_copy: (text) => Module.copyText(UTF8ToString(text)),
  slotscape_address__deps: ['$stringToNewUTF8'],
  slotscape_address: () => stringToNewUTF8(location.href.split('#')[0]),
  slotscape_copied__deps: ['$stringToNewUTF8'],
  slotscape_copied: () => stringToNewUTF8(Module.copiedText),
});
