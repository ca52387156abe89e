/// The parsed command line of a program that describes an app's routes.
struct ManifestArguments: Sendable, Hashable {
  enum Task: Sendable, Hashable {
    case help
    case print(ManifestFormat)
    case write(folder: String)
    case check(folder: String)
  }

  /// A command line that is not valid.
  struct Fault: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  static let help = """
    OVERVIEW: Writes the routes of an app as documents, or checks the documents.

    USAGE: [--output FOLDER] [--check] [--format FORMAT]

    Writes routes.json, routes.md, routes.mmd (Mermaid), Info.plist (URL schemes) and, if https links open
    the app, apple-app-site-association.

    OPTIONS:
      --output FOLDER  the folder of the documents; default: Manifest
      --check          writes nothing, and exits 1 if a document in the folder is out of date
      --format FORMAT  writes nothing, and prints one document: \(formats)
      --help           shows this help

    Exit codes: 0 done, 1 a document differs, 64 wrong usage, 70 a document can't be generated, 73 one
    can't be written.
    """

  private static var formats: String { ManifestFormat.allCases.map(\.rawValue).joined(separator: ", ") }

  let task: Task

  init(_ words: some Sequence<String>) throws(Fault) {
    var (folder, isCheck, format): (String?, Bool, ManifestFormat?) = (nil, false, nil)
    var rest = words.makeIterator()
    while let word = rest.next() {
      switch word {
      case "--help", "-h":
        task = .help
        return
      case "--check": isCheck = true
      case "--output":
        guard let value = rest.next(), !value.isEmpty else {
          throw Fault(description: "--output needs a folder after it")
        }
        folder = value
      case "--format":
        guard let value = rest.next().flatMap(ManifestFormat.init) else {
          throw Fault(description: "--format needs one of \(Self.formats) after it")
        }
        format = value
      default: throw Fault(description: "unknown argument \(word)")
      }
    }
    guard let format else {
      task = isCheck ? .check(folder: folder ?? "Manifest") : .write(folder: folder ?? "Manifest")
      return
    }
    guard !isCheck, folder == nil else {
      throw Fault(description: "--format prints a document; omit either --format, or --check and --output")
    }
    task = .print(format)
  }
}
