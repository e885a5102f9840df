import { useAddress } from "../address.ts";
import { Card } from "../parts/card.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { TagWriter } from "../parts/tag-writer.tsx";
import { WebsiteFrame } from "../parts/website-frame.tsx";

/** The line to paste, in the form that the page wants it. */
export function WebsiteTag() {
  const { to } = useAddress();
  return (
    <WebsiteFrame tab="/tag">
      {({ publicKey, websiteKey }) => (
        <>
          <Card title="Your tag">
            <TagWriter publicKey={publicKey} websiteKey={websiteKey} />
          </Card>
          <Card title="Keys">
            <p class="quiet">Both stand in the source of your pages and open nothing by themselves.</p>
            <CodeBlock code={`data-pub="${publicKey}"\ndata-website="${websiteKey}"`} label="The keys" />
            <p>
              What your own server needs is a <a href={to(`/websites/${websiteKey}/secrets`)}>secret</a>.{" "}
              <a href="/docs/embed" target="_blank" rel="noreferrer">
                Every option of the tag
              </a>
            </p>
          </Card>
        </>
      )}
    </WebsiteFrame>
  );
}
