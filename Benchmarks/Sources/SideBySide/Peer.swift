/// Who is measured.
enum Peer: String, CaseIterable {
  /// The dispatcher, or the chain that the experiment names.
  case ours
  case oursStandardSix = "standard-six"
  case oursOnLoop = "on-loop"
  /// The mediator, which opens an action by its URL.
  case oursOpening = "open"
  /// Six asynchronous calls through a protocol that only pass on: `chain.six-bare`.
  case bareChain = "bare"
  case cProgram = "c"
  case asyncHTTPClient = "ahc"
  case urlSession = "urlsession"
  case okHttp = "okhttp"

  /// What the peers' virtual machine needs to have compiled its code before it is measured.
  var warmUpFactor: Int { self == .okHttp ? 20 : 1 }
}
