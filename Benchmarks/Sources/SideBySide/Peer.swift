/// Who is measured.
enum Peer: String, CaseIterable {
  case ours
  case oursStandardSix = "standard-six"
  case oursOnLoop = "on-loop"
  case cProgram = "c"
  case asyncHTTPClient = "ahc"
  case urlSession = "urlsession"
  case okHttp = "okhttp"

  /// What the peers' virtual machine needs to have compiled its code before it is measured.
  var warmUpFactor: Int { self == .okHttp ? 20 : 1 }
}
