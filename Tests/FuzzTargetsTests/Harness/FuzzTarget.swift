/// A parser of bytes that others wrote, with the laws that hold for every input.
///
/// Scripts/fuzz searches for inputs that break a law, crash, or take too long; the tests replay those that
/// were found, and the seeds.
struct FuzzTarget: Sendable {
  /// The name on the command line, which is that of the folder of kept inputs.
  let name: String
  /// What is parsed, as a phrase.
  let reads: String
  /// The maximum length of an input.
  var maximumLength = 4_096
  /// Inputs to begin with.
  let seeds: [[UInt8]]
  /// Words of the format, which mutations insert.
  var words: [String] = []
  /// Throws a ``BrokenLaw`` if the input breaks a law.
  let check: @Sendable ([UInt8]) throws -> Void

  /// All targets, by name.
  static let all = [
    routeURL, routePattern, requestURL, uriReference, responseHead, fieldValues, challenges, setCookie,
    cookieFile, cacheKey, dates, retryAfter, structuredFields, signatureInput, cacheControl, storedResponse,
    contentRange, serverSentEvents, multipartForm, formFields, json, jsonDocument, netlink, archive,
    redaction, addressList, redirectTable, pageCall, pageManifest, pageRange, pageURL, screen, cassette,
    contentCoding, webSocketFrames, nameAnswer, serviceRecords, digestFields, downloadRecord, uploadRecord,
    uploadReply, deploymentDocument, alternativeServices,
  ].sorted { $0.name < $1.name }
}

/// A law that an input breaks.
struct BrokenLaw: Error, CustomStringConvertible {
  /// The law, as a sentence.
  let law: String
  /// What was seen instead.
  let evidence: String

  var description: String { evidence.isEmpty ? law : "\(law) \(evidence)" }
}

/// Throws unless a law holds.
func require(_ isKept: Bool, _ law: String, _ evidence: @autoclosure () -> String = "") throws(BrokenLaw) {
  if !isKept { throw BrokenLaw(law: law, evidence: evidence()) }
}

/// Throws unless two values are equal.
func require<Value: Equatable>(
  _ value: Value, equals other: Value, _ law: String
) throws(BrokenLaw) {
  if value != other {
    throw BrokenLaw(law: law, evidence: "\("\(value)".prefix(1_000)) is not \("\(other)".prefix(1_000))")
  }
}

/// Returns texts as inputs.
func texts(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

/// Returns an input as text; bytes that are not UTF-8 are replaced.
func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// Returns bytes as they are shown to people: printable ASCII as it is, and the rest as `\xNN`.
func escaped(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { byte in
    switch byte {
    case UInt8(ascii: "\\"): return "\\\\"
    case 0x20...0x7E: return String(Unicode.Scalar(byte))
    default:
      let digits = String(byte, radix: 16)
      return "\\x" + (digits.count < 2 ? "0" : "") + digits
    }
  }.joined()
}
