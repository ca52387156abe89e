import CCurlShims
import Interception

extension ReusableHandle {
  /// Returns what libcurl has measured of the current transfer.
  func report(
    queue: Duration, version: TransportReport.HTTPVersion?, contentCoding: ContentCoding?, decoded: Int64
  ) -> TransportReport {
    let figures = unsafe easy.figures
    let isReused = unsafe figures.connections == 0
    return unsafe TransportReport(
      phases: Self.phases(figures, queue: queue, isReused: isReused),
      bytes: .init(sent: Int64(figures.uploaded), received: Int64(figures.downloaded), decoded: decoded),
      remoteAddress: figures.address.flatMap { unsafe addressText(ip: $0, port: figures.port) },
      version: version, connectionWasReused: isReused, contentCoding: contentCoding)
  }

  private func addressText(ip: UnsafePointer<CChar>, port: Int) -> String? {
    guard unsafe ip[0] != 0 else { return nil }
    if let peer, peer.port == port, unsafe strcmp(ip, peer.ip) == 0 { return peer.text }
    let host = unsafe String(cString: ip)
    let text = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    peer = (Array(host.utf8CString), port, text)
    return text
  }

  // libcurl counts each time from the start; a phase that did not take place has the previous one's, or 0.
  private static func phases(
    _ figures: switchyard_figures, queue: Duration, isReused: Bool
  ) -> TransportReport.Phases {
    var phases = TransportReport.Phases(queue: queue)
    let (named, connected, secured) = unsafe (figures.named, figures.connected, figures.secured)
    let (ready, first, last) = unsafe (figures.ready, figures.first_byte, figures.last_byte)
    if !isReused {
      if named > 0 { phases.name = .microseconds(named) }
      if connected > 0 { phases.connect = .microseconds(max(connected - named, 0)) }
      if secured > 0 { phases.tls = .microseconds(max(secured - connected, 0)) }
    }
    if first > 0 {
      phases.firstByte = .microseconds(max(first - ready, 0))
      phases.lastByte = .microseconds(max(last - first, 0))
    }
    return phases
  }
}
