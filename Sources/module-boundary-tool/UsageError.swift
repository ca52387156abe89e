/// The reason that a command line is not valid.
enum UsageError: Error, Hashable, CustomStringConvertible {
  case missingOption(String)
  case missingValue(String)
  case unknownOption(String)
  case malformedModule(String)
  case noSources

  var description: String {
    switch self {
    case .missingOption(let option): "\(option) is missing"
    case .missingValue(let option): "\(option) needs a value after it"
    case .unknownOption(let option): "unknown option \(option); write -- before a file of that name"
    case .malformedModule(let text): "--forbid \(text): expected NAME or NAME=CONTRACT"
    case .noSources: "no source file is given"
    }
  }
}
